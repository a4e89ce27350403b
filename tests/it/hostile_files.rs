//! Malicious files: the server keeps working, and the error names the file and the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use flate2::{Compress, Compression, FlushCompress};

use crate::imports::Desk;
use crate::program::{Program, new_token, run, streams};
use crate::workbooks::{Part, archive, dimensions, label, xls};

const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Builds the parts of an XLSX with this many sheets that all reference one part with these rows.
fn parts(sheets: usize, rows: &str) -> Vec<Part> {
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let sheet = |at| format!(r#"<sheet name="Clientes {at}" sheetId="{at}" r:id="r1"/>"#);
    let sheets: String = (1..=sheets).map(sheet).collect();
    vec![
        Part::stored(
            "_rels/.rels",
            &format!(
                r#"<Relationships xmlns="{package}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#
            ),
        ),
        Part::stored(
            "xl/workbook.xml",
            &format!(r#"<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{sheets}</sheets></workbook>"#),
        ),
        Part::stored(
            "xl/_rels/workbook.xml.rels",
            &format!(
                r#"<Relationships xmlns="{package}"><Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#
            ),
        ),
        Part::stored(
            "xl/worksheets/sheet1.xml",
            &format!(r#"<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>"#),
        ),
    ]
}

/// Builds an XLSX with these shared strings, as XML. The first two are the heading and the cell of its only column.
fn shared_strings(strings: Part) -> Vec<u8> {
    let rows =
        r#"<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>"#;
    archive(&parts(1, rows).into_iter().chain([strings]).collect::<Vec<_>>())
}

fn strings(attributes: &str, strings: &str) -> Part {
    Part::stored("xl/sharedStrings.xml", &format!(r#"<sst xmlns="{MAIN}"{attributes}>{strings}</sst>"#))
}

/// Builds a part that unpacks to `begin`, this many MiB of the letter a, and `end`. Its checksum is wrong,
/// but no reader gets that far.
fn of_one_letter(name: &'static str, begin: &str, mib: u32, end: &str) -> Part {
    let letters = vec![b'a'; 1 << 20];
    let mut compress = Compress::new(Compression::new(1), false);
    let mut packed = |content: &[u8], flush| {
        let mut packed = Vec::with_capacity(content.len() + 1024);
        compress.compress_vec(content, &mut packed, flush).unwrap();
        packed
    };
    let begins = packed(begin.as_bytes(), FlushCompress::Full);
    let block = packed(&letters, FlushCompress::Full);
    let ends = packed(end.as_bytes(), FlushCompress::Finish);
    let unpacked = (begin.len() + end.len()) as u32 + (mib << 20);
    let packed = [begins, block.repeat(mib as usize), ends].concat();
    Part { name, is_deflated: true, packed, unpacked, crc: 0 }
}

/// Files, each with the expected reason for its refusal.
fn corpus() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let two = "<si><t>Nome</t></si><si><t>Ana</t></si>";
    let memory = if cfg!(target_os = "linux") { "MiB of memory" } else { "" };
    let letters = |mib| {
        let (begin, end) = (format!(r#"<sst xmlns="{MAIN}"><si><t>"#), "</t></si></sst>");
        of_one_letter("xl/sharedStrings.xml", &begin, mib, end)
    };
    let half = "a".repeat(16_384);
    let long = format!("<si><t>Nome</t></si><si><r><t>{half}</t></r><r><t>{half}</t></r></si>");
    let shifted = [&b"PK\x03\x04"[..], &[0; 60], &shared_strings(letters(600))].concat();
    let sound = archive(&parts(1, r#"<row r="1"><c r="A1"><v>1</v></c></row>"#));
    let nested = {
        let mut parts = parts(1, "");
        let inner = archive(&[of_one_letter("xl/worksheets/sheet1.xml", "", 20, "")]);
        let part = parts.last_mut().unwrap();
        let mut crc = flate2::Crc::new();
        crc.update(&inner);
        (part.unpacked, part.packed, part.crc) = (inner.len() as u32, inner, crc.sum());
        archive(&parts)
    };
    let cells = [label(0, 0, "Nome"), label(1, 0, "Feira")];
    let lying = xls(&[&[dimensions([0, u32::MAX], [0, 255])], &cells[..]].concat());
    vec![
        ("count.xlsx", shared_strings(strings(r#" uniqueCount="4294967295""#, two)), memory),
        ("shifted.xlsx", shifted, "the workbook unpacks to more than 512 MiB"),
        ("letters.xlsx", shared_strings(letters(500)), "has more than 32767 characters"),
        ("runs.xlsx", shared_strings(strings("", &long)), "has more than 32767 characters"),
        ("sheets.xlsx", archive(&parts(1_000, "")), "several sheets point to the same part"),
        ("nested.xlsx", nested, "there are no rows to import"),
        ("cut.xlsx", sound[..sound.len() / 2].to_vec(), "the workbook cannot be read"),
        ("lying.xls", lying, "spans more than 16 million cells"),
        ("zeros.csv", vec![0; 5 << 20], "this is no spreadsheet"),
        ("later.csv", ["Nome;CPF\n".as_bytes(), &[0; 1 << 20]].concat(), "this is no spreadsheet"),
        ("text.csv", vec![b'a'; 5 << 20], "line 1 is longer than 4 MiB"),
        ("deep.jsonl", ["{\"name\":".as_bytes(), &[b'['; 1 << 20]].concat(), "there are no records"),
    ]
}

/// Lists the child processes of a process, including zombies.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<String> {
    let stats = fs::read_dir("/proc").unwrap().flatten();
    let stats = stats.filter_map(|process| fs::read_to_string(process.path().join("stat")).ok());
    let is_child = |stat: &String| {
        let fields = stat.rsplit(')').next().unwrap_or_default();
        fields.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    stats.filter(is_child).collect()
}

#[cfg(target_os = "linux")]
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Imports a file while the server keeps responding to requests, and returns the error of the import.
fn refused_meanwhile(server: &Program, token: &str, folder: &Path, file: &Path) -> String {
    let is_over = AtomicBool::new(false);
    let answers = || {
        let settings = server.ask(token, "GET", "/settings", None);
        assert_eq!(settings.map(|reply| reply.status), Some(200), "{}", file.display());
    };
    let output = thread::scope(|scope| {
        let import = scope.spawn(|| {
            let output = run(folder, &["import", &file.display().to_string()]);
            is_over.store(true, Ordering::Release);
            output
        });
        while !is_over.load(Ordering::Acquire) {
            answers();
        }
        import.join().unwrap()
    });
    answers();
    let (out, err) = streams(&output);
    assert!(output.status.code() == Some(1) && out.is_empty(), "{}: {out}{err}", file.display());
    err
}

/// Regression: a workbook of 1.7 KiB that declared four billion shared strings ended the server at its
/// preview. An archive with 64 bytes in front of it evaded the size limit. A shared string of 500 MB took
/// 2.9 GB of the server's memory.
#[test]
fn the_server_keeps_working_during_imports_of_hostile_files() {
    let (folder, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let token = new_token(folder.path());
    let server = Program::serve(folder.path(), &[]);
    #[cfg(target_os = "linux")]
    let before = peak(server.id());
    for (name, bytes, why) in corpus() {
        let file: PathBuf = files.path().join(name);
        fs::write(&file, bytes).unwrap();
        let refused = refused_meanwhile(&server, &token, folder.path(), &file);
        // An error that is not about a single file names no file.
        let named =
            if why.starts_with("there are no rows") { "pleito".into() } else { file.display().to_string() };
        assert!(refused.contains(&named) && refused.contains(why), "{name}: {refused}");
    }
    #[cfg(target_os = "linux")]
    {
        let grown = peak(server.id()) - before;
        assert!(grown < 64 * 1024, "the peak grew by {grown} KiB");
        assert!(children(server.id()).is_empty(), "{:?}", children(server.id()));
    }
}

#[test]
fn the_longest_text_of_a_cell_is_read() {
    let desk = Desk::new();
    let long = "a".repeat(32_767);
    let rows = r#"<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c></row>"#;
    let own =
        format!("<si><t>Nome</t></si><si><t>Sapato</t></si><si><t>Feira</t></si><si><t>{long}</t></si>");
    let parts: Vec<_> = parts(1, rows).into_iter().chain([strings(r#" uniqueCount="4""#, &own)]).collect();
    let file = desk.file("origens.xlsx", &archive(&parts));
    assert_eq!(desk.counts(&file, &["--resource", "origins"]), [1, 0, 0, 0]);
}

/// If the server stops reading a file half-way, the process that parses it is ended.
#[cfg(target_os = "linux")]
#[test]
fn a_parser_process_is_ended_if_the_server_stops_reading() {
    let (folder, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let token = new_token(folder.path());
    let server = Program::serve(folder.path(), &[]);
    let file = files.path().join("strange.csv");
    fs::write(&file, ["Sapato;Chapéu\n", &"38;58\n".repeat(500_000)].concat()).unwrap();
    let refused = refused_meanwhile(&server, &token, folder.path(), &file);
    assert!(refused.contains("strange.csv"), "{refused}");
    assert!(children(server.id()).is_empty(), "{:?}", children(server.id()));
}

/// Returns `true` while a process exists and is no zombie.
#[cfg(target_os = "linux")]
fn is_running(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .and_then(|fields| fields.split_whitespace().next())
        .is_some_and(|state| state != "Z")
}

/// Writes a file whose beginning takes very long to look at: 200 GB of zeros behind the signature of an archive, of which
/// the end is looked for.
#[cfg(target_os = "linux")]
fn endless(folder: &Path) -> PathBuf {
    use std::io::Write;
    let path = folder.join("endless.xlsx");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(b"PK\x03\x04").unwrap();
    file.set_len(200_000_000_000).unwrap();
    path
}

/// If a command is killed while a file is read, with or without a server, nothing goes on reading it.
#[cfg(target_os = "linux")]
#[test]
fn the_parser_process_ends_with_its_command() {
    use crate::program::pleito;
    use crate::wait::{MAX_WAIT, wait_until};
    let (folder, files) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    new_token(folder.path());
    let file = endless(files.path()).display().to_string();
    for has_server in [false, true] {
        let server = has_server.then(|| Program::serve(folder.path(), &[]));
        let mut command = pleito(folder.path(), &["import", &file], &[]).spawn().unwrap();
        let parent = server.as_ref().map_or(command.id(), Program::id);
        let reader = wait_until(MAX_WAIT, "the file is read", || children(parent).pop());
        let reader = reader.split(' ').next().unwrap().to_owned();
        assert!(is_running(&reader));
        command.kill().unwrap();
        command.wait().unwrap();
        // Sooner than it would be ended if it read on.
        wait_until(MAX_WAIT, "the reader ends", || (!is_running(&reader)).then_some(()));
    }
}

/// Opening a pipe that nothing is written into would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_refused_instead_of_waiting_for_it() {
    let desk = Desk::new();
    let path = desk.files.path().join("clientes.csv");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let refused = desk.refused(&path, &[]);
    assert!(refused.contains("clientes.csv") && refused.contains("it is no regular file"), "{refused}");
}
