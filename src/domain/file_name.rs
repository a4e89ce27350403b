//! The name of a document: a file's name with its ending, and nothing that leads anywhere (resources 17.3).

use unicode_normalization::UnicodeNormalization;

use super::Reason;
use super::text::{breaks_a_line, composed, seen};

/// The most characters (Unicode scalars) that a name may have.
const MOST: usize = 255;

/// The file name extensions that Windows, macOS or a Linux desktop runs or installs on a double click, lower case (resources
/// 17.3). Chosen from Outlook's list of blocked attachments ("Blocked attachments in Outlook", support.microsoft.com) and
/// Chromium's `download_file_types.asciipb`, both without documents, web pages, certificates, archives and disk images.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    // Windows: programs, libraries, installers.
    "exe", "com", "scr", "pif", "cpl", "dll", "ocx", "sys", "drv", "msi", "msp", "mst", "msu", "msix", "msixbundle", "appx",
    "appxbundle", "appinstaller", "application", "appref-ms", "vsto", "xll", "gadget", "xbap", "jar", "jnlp",
    // Windows: scripts.
    "bat", "cmd", "ps1", "ps1xml", "ps2", "ps2xml", "psc1", "psc2", "psd1", "psm1", "cdxml", "msh", "msh1", "msh2", "vb", "vbe",
    "vbs", "js", "jse", "ws", "wsc", "wsf", "wsh", "sct", "hta", "py", "pyc", "pyo", "pyw", "pyz", "pyzw", "pl", "rb", "ahk",
    // Windows: shortcuts and settings that start something.
    "lnk", "url", "website", "scf", "shb", "shs", "reg", "inf", "ins", "isp", "job", "msc", "chm", "hlp", "diagcab", "wsb", "theme",
    "themepack", "library-ms", "search-ms", "searchconnector-ms", "settingcontent-ms", "appcontent-ms", "printerexport", "webpnp",
    // macOS.
    "app", "command", "tool", "terminal", "workflow", "action", "scpt", "scptd", "applescript", "osax", "prefpane", "saver", "kext",
    "dylib", "pkg", "mpkg", "mobileconfig", "webloc", "inetloc", "fileloc",
    // Linux.
    "desktop", "sh", "bash", "csh", "ksh", "zsh", "fish", "run", "appimage", "elf", "deb", "rpm", "snap", "flatpak", "flatpakref",
    "flatpakrepo",
];

/// The name of a file: 1 to 255 characters in Unicode NFC, without a path, characters that nobody sees, control
/// characters, white space around it, or trailing dots.
///
/// It names nothing on this machine's disk, so a name that a system keeps for itself, such as `CON`, is one like others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileName(String);

text_value!(FileName);

impl FileName {
    /// Reads a name, and drops what does not belong to one. Refused: a text of which nothing is left, and more than 255
    /// characters.
    ///
    /// # Errors
    /// What would be right.
    pub fn parse(text: &str) -> Result<FileName, Reason> {
        let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
        let name: String = seen(name).chars().filter(|c| !breaks_a_line(*c)).collect();
        let name = composed(name.trim_start().trim_end_matches(|c: char| c == '.' || c.is_whitespace()))
            .into_owned();
        match name.chars().count() {
            0 => Err(Reason::NoFileName),
            1..=MOST => Ok(FileName(name)),
            _ => Err(Reason::TooLong { most: MOST }),
        }
    }

    /// Returns the extension if a desktop would run the file. Reads the name as file systems and other programs may: with
    /// full-width characters as their ASCII forms, without trailing dots, spaces and colons, and without `::$DATA`, by which
    /// NTFS names a file's own content.
    pub fn program(&self) -> Option<&'static str> {
        let name: String =
            self.0.nfkc().map(|c| if c == '。' { '.' } else { c.to_ascii_lowercase() }).collect();
        let trimmed = |name: &str| {
            name.trim_end_matches(|c: char| matches!(c, '.' | ':') || c.is_whitespace()).to_owned()
        };
        let name = trimmed(&name);
        let name = trimmed(name.strip_suffix("::$data").unwrap_or(&name));
        let (_, extension) = name.rsplit_once('.')?;
        PROGRAMS.iter().find(|program| **program == extension.trim_start()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_its_path_and_what_systems_stumble_over() {
        for (text, name) in [
            ("procuração.pdf", "procuração.pdf"),
            ("procurac\u{327}a\u{303}o.pdf", "procuração.pdf"),
            ("../../x", "x"),
            (r"C:\Users\Ana\petição inicial.docx", "petição inicial.docx"),
            (r"..\../x.pdf. . ", "x.pdf"),
            ("CON", "CON"),
            ("a\r\n\0b\u{1b}.txt", "ab.txt"),
            ("fdp.\u{202E}exe", "fdp.exe"),
            (" .env", ".env"),
        ] {
            assert_eq!(FileName::parse(text).unwrap().as_str(), name, "{text:?}");
        }
        for text in ["", " ", ".", "..", "../", "a/", "\u{202E}", "\r\n", ". . ."] {
            assert_eq!(FileName::parse(text), Err(Reason::NoFileName), "{text:?}");
        }
    }

    #[test]
    fn a_name_has_its_bounds() {
        assert!(FileName::parse("x").is_ok());
        assert!(FileName::parse(&"é".repeat(255)).is_ok());
        assert_eq!(FileName::parse(&"é".repeat(256)), Err(Reason::TooLong { most: 255 }));
        // What is dropped does not count.
        assert!(FileName::parse(&["a/".repeat(300), "b".repeat(255), ".".repeat(9)].concat()).is_ok());
    }

    #[test]
    fn programs_are_known_by_their_endings() {
        for (text, program) in [
            ("setup.exe", Some("exe")),
            ("setup.EXE. .", Some("exe")),
            ("nota.pdf.js", Some("js")),
            (".bat", Some("bat")),
            ("nota.exe.pdf", None),
            ("exe", None),
            ("nota.json", None),
            ("a.com.br", None),
            ("exemplo.com: resposta.pdf", None),
            ("a.AppImage", Some("appimage")),
            ("a.desktop", Some("desktop")),
            ("a.command", Some("command")),
            ("a.settingContent-ms", Some("settingcontent-ms")),
            ("a.url", Some("url")),
            ("a.txt:b.exe", Some("exe")),
            ("a.exe:", Some("exe")),
            ("a.exe::$DATA", Some("exe")),
            ("a.exe：：$data", Some("exe")),
            ("a．exe", Some("exe")),
            ("a.ｅｘｅ", Some("exe")),
            ("a。exe", Some("exe")),
            ("a.exe．", Some("exe")),
            ("a.e\u{200B}xe\u{A0}", Some("exe")),
            ("a\u{202E}fdp.exe", Some("exe")),
        ] {
            assert_eq!(FileName::parse(text).unwrap().program(), program, "{text}");
        }
    }
}
