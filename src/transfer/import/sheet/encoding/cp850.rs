//! Code page 850, in which MS-DOS wrote Western European letters.

/// The characters of the bytes from 0x80 on.
const UPPER: &str = "\
    ÇüéâäàåçêëèïîìÄÅ\
    ÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»\
    ░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤\
    ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\
    \u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}\
    ";

fn from_byte(byte: u8) -> char {
    let upper = byte.checked_sub(0x80).and_then(|at| UPPER.chars().nth(usize::from(at)));
    upper.unwrap_or_else(|| char::from(byte))
}

pub(in crate::transfer::import::sheet) fn decode(bytes: &[u8]) -> String {
    bytes.iter().copied().map(from_byte).collect()
}

/// Returns `None` if the code page lacks a character.
pub(in crate::transfer::import::sheet) fn encode(text: &str) -> Option<Vec<u8>> {
    let upper = |c: char| (0x80..=0xff).zip(UPPER.chars()).find(|(_, own)| *own == c).map(|(byte, _)| byte);
    text.chars().map(|c| u8::try_from(c).ok().filter(u8::is_ascii).or_else(|| upper(c))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_decoding_and_encoding() {
        let all: Vec<u8> = (0..=0xff).collect();
        let text = decode(&all);
        assert_eq!(text.chars().count(), 256);
        assert_eq!(encode(&text).unwrap(), all);
        assert_eq!(decode(b"Jo\xc6o Concei\x87\xc6o"), "João Conceição");
        assert_eq!(encode("€"), None);
    }
}
