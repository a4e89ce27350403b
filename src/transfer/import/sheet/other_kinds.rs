//! Names files of other kinds, by their first bytes or by the parts of an archive, so that an error says what the file
//! is.

use crate::transfer::prelude::*;

const SAVE: Bilingual = (
    "Abra-o no programa de planilhas e salve-o como .xlsx ou CSV.",
    "Open it in the spreadsheet program and save it as .xlsx or CSV.",
);
const NO_TABLE: Bilingual = (
    "Passe a tabela para uma planilha e salve-a como .xlsx ou CSV.",
    "Copy its table into a spreadsheet, and save that as .xlsx or CSV.",
);
const UNPACK: Bilingual =
    ("Descompacte-o e importe os arquivos que estão dentro.", "Unpack it and import the files in it.");
const EXPORT: Bilingual = (
    "Exporte cada tabela como .xlsx ou CSV no programa que o criou.",
    "Export each table as .xlsx or CSV in the program that made it.",
);
const UNLOCK: Bilingual = (
    "Abra-o no programa de planilhas, tire a senha e salve-o de novo.",
    "Open it in the spreadsheet program, remove the password and save it again.",
);

/// A kind of file that cannot be imported: its name with an article, and what the user can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForeignKind {
    name: Bilingual,
    advice: Bilingual,
}

impl ForeignKind {
    pub(super) fn refusal(self, lang: Lang) -> TransferError {
        let [name, advice] = [self.name, self.advice].map(|(pt, en)| lang.pick(pt, en));
        TransferError::Refused(localize!(
            lang,
            "é {name}; o Pleito lê CSV, XLSX, XLS, ODS, tabelas em HTML, vCard e JSON Lines. {advice}",
            "this is {name}; Pleito reads CSV, XLSX, XLS, ODS, tables in HTML, vCard and JSON Lines. {advice}"
        ))
    }
}

const fn kind(name: Bilingual, advice: Bilingual) -> ForeignKind {
    ForeignKind { name, advice }
}

pub(super) const UNKNOWN: ForeignKind = kind(("um arquivo que não é planilha", "no spreadsheet"), SAVE);
const IMAGE: ForeignKind = kind(("uma imagem", "an image"), NO_TABLE);
const PACKED: ForeignKind = kind(("um arquivo compactado", "a compressed archive"), UNPACK);
const ZIP: ForeignKind = kind(("um arquivo compactado (ZIP)", "a compressed archive (ZIP)"), UNPACK);
const PDF: ForeignKind = kind(("um PDF", "a PDF"), NO_TABLE);
const RTF: ForeignKind = kind(("um documento de texto (RTF)", "a text document (RTF)"), NO_TABLE);
const WORD: ForeignKind = kind(("um documento do Word", "a Word document"), NO_TABLE);
const WRITER: ForeignKind = kind(("um documento de texto (ODT)", "a text document (ODT)"), NO_TABLE);
const SLIDES: ForeignKind = kind(("uma apresentação", "a presentation"), NO_TABLE);
const NUMBERS: ForeignKind = kind(
    (
        "uma planilha do Numbers, ou outro documento da Apple",
        "a Numbers spreadsheet, or another Apple document",
    ),
    ("Exporte-a no Numbers como Excel ou CSV.", "Export it in Numbers to Excel or CSV."),
);
const XLSB: ForeignKind =
    kind(("uma pasta de trabalho binária do Excel (.xlsb)", "a binary workbook of Excel (.xlsb)"), SAVE);
const LOCKED: ForeignKind =
    kind(("uma planilha protegida por senha", "a workbook protected by a password"), UNLOCK);
const MESSAGE: ForeignKind = kind(("uma mensagem do Outlook", "an Outlook message"), NO_TABLE);
const DATABASE: ForeignKind = kind(("um banco de dados", "a database"), EXPORT);
const XML_2003: ForeignKind = kind(
    ("uma planilha XML do Excel 2003 (SpreadsheetML)", "an XML spreadsheet of Excel 2003 (SpreadsheetML)"),
    SAVE,
);
const FLAT_ODF: ForeignKind =
    kind(("um documento XML do LibreOffice", "a flat XML document of LibreOffice"), SAVE);
const XML: ForeignKind = kind(("um arquivo XML", "an XML file"), EXPORT);
const MHTML: ForeignKind = kind(("uma página da web em um só arquivo", "a web page in a single file"), SAVE);

/// First bytes of files.
const SIGNATURES: [(&[u8], ForeignKind); 22] = [
    (b"%PDF", PDF),
    (b"{\\rtf", RTF),
    (b"\x89PNG", IMAGE),
    (b"\xff\xd8\xff", IMAGE),
    (b"GIF8", IMAGE),
    (b"II*\0", IMAGE),
    (b"MM\0*", IMAGE),
    (b"RIFF", IMAGE),
    (b"\0\0\0\x18ftyp", IMAGE),
    (b"\0\0\0\x1cftyp", IMAGE),
    (b"\0\0\0\x20ftyp", IMAGE),
    (b"\0\0\0\x24ftyp", IMAGE),
    (b"\x1f\x8b", PACKED),
    (b"7z\xbc\xaf\x27\x1c", PACKED),
    (b"Rar!", PACKED),
    (b"BZh", PACKED),
    (b"\xfd7zXZ", PACKED),
    (b"SQLite format 3\0", DATABASE),
    (b"\0\x01\0\0Standard ", DATABASE),
    (b"!BDN", DATABASE),
    (b"MIME-Version:", MHTML),
    (b"PK\x05\x06", ZIP),
];

pub(super) fn by_first_bytes(start: &[u8]) -> Option<ForeignKind> {
    SIGNATURES.iter().find(|(bytes, _)| start.starts_with(bytes)).map(|(_, kind)| *kind)
}

/// Returns the kind of an XML that is no HTML, or `None` for any other text.
pub(super) fn of_text(start: &[u8]) -> Option<ForeignKind> {
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    let text = text.trim_start();
    let has = |part: &str| text.contains(part);
    match () {
        () if text.starts_with("mime-version:") => Some(MHTML),
        () if !text.starts_with('<') => None,
        () if has("<workbook") && has("office:spreadsheet") => Some(XML_2003),
        () if has("<office:document") => Some(FLAT_ODF),
        () if has("<?xml") && !has("<html") && !has("<table") => Some(XML),
        () => None,
    }
}

/// Returns the kind of a ZIP archive by the names of its parts, or `None` if it may be a workbook. `kind` is its
/// part `mimetype`, which documents of LibreOffice have.
pub(super) fn of_archive(names: &[String], kind: &str) -> Option<ForeignKind> {
    let has = |beginning: &str| names.iter().any(|name| name.starts_with(beginning));
    match () {
        () if kind.contains("opendocument.spreadsheet") => None,
        () if kind.contains("opendocument.presentation") => Some(SLIDES),
        () if kind.contains("opendocument") => Some(WRITER),
        () if has("xl/workbook.bin") => Some(XLSB),
        () if has("xl/") || has("content.xml") => None,
        () if has("word/") => Some(WORD),
        () if has("ppt/") => Some(SLIDES),
        () if has("Index/") || has("Index.zip") => Some(NUMBERS),
        () => Some(ZIP),
    }
}

/// Returns the kind of a compound file of Microsoft by the names in its directory, or `None` if it may be an XLS.
pub(super) fn of_compound(names: &[String]) -> Option<ForeignKind> {
    let has = |name: &str| names.iter().any(|own| own == name);
    match () {
        () if has("Workbook") || has("Book") => None,
        () if has("EncryptedPackage") => Some(LOCKED),
        () if has("WordDocument") => Some(WORD),
        () if has("PowerPoint Document") => Some(SLIDES),
        () if has("__properties_version1.0") => Some(MESSAGE),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_tables_are_named() {
        for (text, meant) in [
            ("Nome;CPF", None),
            ("<html><body><table>", None),
            ("<?xml version=\"1.0\"?><!DOCTYPE html><html>", None),
            ("\n<TABLE><TR>", None),
            (
                "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">",
                Some(XML_2003),
            ),
            ("<?xml version=\"1.0\"?><office:document>", Some(FLAT_ODF)),
            ("<?xml version=\"1.0\"?><nfeProc>", Some(XML)),
            ("MIME-Version: 1.0\nX-Document-Type: Workbook", Some(MHTML)),
        ] {
            assert_eq!(of_text(text.as_bytes()), meant, "{text}");
        }
    }

    #[test]
    fn archives_are_named_by_their_parts() {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        for (names, mimetype, meant) in [
            (&["xl/workbook.xml"][..], "", None),
            (&["content.xml"], "application/vnd.oasis.opendocument.spreadsheet", None),
            (&["content.xml"], "application/vnd.oasis.opendocument.text", Some(WRITER)),
            (&["xl/workbook.bin"], "", Some(XLSB)),
            (&["word/document.xml"], "", Some(WORD)),
            (&["ppt/presentation.xml"], "", Some(SLIDES)),
            (&["Index/Document.iwa"], "", Some(NUMBERS)),
            (&["clientes.csv"], "", Some(ZIP)),
        ] {
            assert_eq!(of_archive(&texts(names), mimetype), meant, "{names:?}");
        }
        assert_eq!(of_compound(&texts(&["Workbook", "WordDocument"])), None);
        assert_eq!(of_compound(&texts(&["EncryptionInfo", "EncryptedPackage"])), Some(LOCKED));
    }
}
