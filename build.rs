//! Lists the steps of the store's schema, and gives the Windows executable its icon, version and manifest.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

const STEPS: &str = "src/store/migrations";
const ICON: &str = "assets/icon/pleito.ico";
const MANIFEST: &str = "installer/windows/pleito.manifest";

fn main() -> io::Result<()> {
    for path in ["build.rs", STEPS, ICON, MANIFEST] {
        println!("cargo::rerun-if-changed={path}");
    }
    steps()?;
    // The target, which need not be the system that this runs on.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("windows") {
        return Ok(());
    }
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_icon(ICON)
        .set_manifest_file(MANIFEST)
        .set("ProductName", "Pleito")
        .set("FileDescription", "Pleito")
        .set("OriginalFilename", "pleito.exe")
        .set("LegalCopyright", "MIT OR Apache-2.0");
    resource.compile_for("pleito")
}

/// Writes the steps' texts as an array, in the order of the numbers that their names begin with: 1, 2, 3 and so on.
fn steps() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join(STEPS);
    let names = fs::read_dir(&folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<io::Result<Vec<String>>>()?;
    names.retain(|name| name.starts_with(|first: char| first.is_ascii_digit()));
    names.sort();
    let mut array = "[".to_owned();
    for (name, number) in names.iter().zip(1..) {
        if !name.starts_with(&format!("{number:04}_")) {
            return Err(io::Error::other(format!("{STEPS}/{name} is not number {number}")));
        }
        writeln!(array, "include_str!({:?}),", folder.join(name)).map_err(io::Error::other)?;
    }
    array.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("steps.rs"), array)
}
