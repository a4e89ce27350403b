//! Gives the Windows executable its icon, version and manifest; for every other system there is nothing to do.

const ICON: &str = "assets/icon/pleito.ico";
const MANIFEST: &str = "installer/windows/pleito.manifest";

fn main() -> std::io::Result<()> {
    for path in ["build.rs", ICON, MANIFEST] {
        println!("cargo::rerun-if-changed={path}");
    }
    // The target, which need not be the system that this runs on.
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("windows") {
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
