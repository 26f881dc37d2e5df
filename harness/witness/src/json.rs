//! Writing JSON objects, field by field. Enough for flat records, and a reason not to carry a serializer.

use std::fmt::Write as _;

/// A flat JSON object under construction.
#[derive(Debug, Clone)]
pub(crate) struct Object(String);

impl Object {
    pub(crate) fn new() -> Self {
        Object(String::from("{"))
    }

    /// A field that holds a string.
    pub(crate) fn text(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        quote(&mut self.0, value);
        self
    }

    /// A field that holds a number.
    pub(crate) fn number(mut self, key: &str, value: u64) -> Self {
        self.key(key);
        let _ = write!(self.0, "{value}");
        self
    }

    /// A field that holds true or false.
    pub(crate) fn flag(mut self, key: &str, value: bool) -> Self {
        self.key(key);
        self.0.push_str(if value { "true" } else { "false" });
        self
    }

    /// A field whose value is JSON already.
    pub(crate) fn raw(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        self.0.push_str(value);
        self
    }

    /// The object's text so far, not closed: a prefix of every object that begins with the same fields.
    pub(crate) fn prefix(&self) -> &str {
        &self.0
    }

    /// The finished object.
    pub(crate) fn close(mut self) -> String {
        self.0.push('}');
        self.0
    }

    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        quote(&mut self.0, key);
        self.0.push(':');
    }
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if u32::from(c) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_as_written() {
        let odd = "quote \" backslash \\ newline \n tab \t nul \0 high ü🦀";
        let text = Object::new().text("text", odd).number("n", u64::MAX).flag("flag", true).raw("list", "[1,2]").close();
        let read: serde_json::Value = serde_json::from_str(&text).expect("must be JSON");
        assert_eq!(read, serde_json::json!({"text": odd, "n": u64::MAX, "flag": true, "list": [1, 2]}));
    }

    #[test]
    fn an_empty_object_is_one() {
        assert_eq!(Object::new().close(), "{}");
    }
}
