//! Numbers in base 32, in a fixed number of digits: letters and digits alone, so that no agent escapes them.

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// What is no digit.
const NONE: u8 = 0xff;

const VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < 32 {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// Fills the digits, the lowest one last; what does not fit is left out.
pub(crate) fn write(mut number: u64, digits: &mut [u8]) {
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number & 31) as usize];
        number >>= 5;
    }
}

/// The number of at most 12 digits; `None` where one of them is none.
pub(crate) fn read(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |number, digit| match VALUES[usize::from(*digit)] {
        NONE => None,
        value => Some(number << 5 | u64::from(value)),
    })
}
