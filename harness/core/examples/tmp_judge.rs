//! Temporary.
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        println!("== {file}");
        match sidecheck_core::trace::Trace::parse(&file, &text) {
            Err(e) => println!("{e}"),
            Ok(t) => match sidecheck_core::judge(&t) {
                Err(e) => println!("{e}"),
                Ok(v) => for v in v { println!("{:?} {}", v.standing, sidecheck_core::verdict::explain(&v)); for t in &v.testimonies { println!("      {} {:?} {}", t.witness, t.says, t.because);} },
            },
        }
    }
}
