//! A key as bytes that sort as its text does, a digit in half a byte and a letter in a whole one.

/// Fifty letters, the longest key there is.
pub const LONGEST: usize = 50;

/// A key's half bytes. Digits are 1 to 10; letters begin with 11 (A to P) or 12 (Q to Z) and a second half; 0 is what
/// follows the end. No symbol's code begins another's, so a prefix of the text is a prefix of the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Packed {
    bytes: [u8; LONGEST],
    halves: usize,
}

impl Packed {
    /// The code of 1 to 50 upper-case ASCII letters and digits; `None` for any other text.
    pub fn new(key: &str) -> Option<Packed> {
        let mut packed = Packed { bytes: [0; LONGEST], halves: 0 };
        if key.is_empty() {
            return None;
        }
        for symbol in key.bytes() {
            match symbol {
                b'0'..=b'9' => packed.push(symbol - b'0' + 1)?,
                b'A'..=b'P' => {
                    packed.push(11)?;
                    packed.push(symbol - b'A')?;
                }
                b'Q'..=b'Z' => {
                    packed.push(12)?;
                    packed.push(symbol - b'Q')?;
                }
                _ => return None,
            }
        }
        Some(packed)
    }

    /// The code in `N` bytes, filled with zeros; `None` when it is longer.
    pub fn fit<const N: usize>(&self) -> Option<[u8; N]> {
        if self.halves > 2 * N { None } else { self.bytes.first_chunk().copied() }
    }

    /// The least and the greatest code in `N` bytes that begin with this one; `None` when it is longer than they are.
    pub fn range<const N: usize>(&self) -> Option<([u8; N], [u8; N])> {
        let first = self.fit::<N>()?;
        let mut last = first;
        for (byte, whole) in last.iter_mut().zip(0..) {
            if whole * 2 >= self.halves {
                *byte = 0xFF;
            } else if whole * 2 + 1 == self.halves {
                *byte |= 0x0F;
            }
        }
        Some((first, last))
    }

    fn push(&mut self, half: u8) -> Option<()> {
        let byte = self.bytes.get_mut(self.halves / 2)?;
        *byte |= if self.halves.is_multiple_of(2) { half << 4 } else { half };
        self.halves += 1;
        Some(())
    }
}
