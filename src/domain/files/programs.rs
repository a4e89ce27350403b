//! Files that a desktop would run, which are no documents.

/// File name extensions, in lower case, that Windows, macOS or a Linux desktop runs or installs on a double
/// click (resources 17.3). Chosen from Outlook's list of blocked attachments ("Blocked attachments in
/// Outlook", support.microsoft.com) and Chromium's `download_file_types.asciipb`, both without documents, web
/// pages, certificates, archives and disk images.
#[rustfmt::skip]
pub(super) const PROGRAMS: &[&str] = &[
    // Windows: programs, libraries, installers.
    "exe", "com", "scr", "pif", "cpl", "dll", "ocx", "sys", "drv", "msi", "msp", "mst", "msu", "msix", "msixbundle", "appx",
    "appxbundle", "appinstaller", "application", "appref-ms", "vsto", "xll", "gadget", "xbap", "jar", "jnlp",
    // Windows: scripts.
    "bat", "cmd", "ps1", "ps1xml", "ps2", "ps2xml", "psc1", "psc2", "psd1", "psm1", "cdxml", "msh", "msh1", "msh2", "vb", "vbe",
    "vbs", "js", "jse", "ws", "wsc", "wsf", "wsh", "sct", "hta", "py", "pyc", "pyo", "pyw", "pyz", "pyzw", "pl", "rb", "ahk",
    // Windows: shortcuts and settings files that start something.
    "lnk", "url", "website", "scf", "shb", "shs", "reg", "inf", "ins", "isp", "job", "msc", "chm", "hlp", "diagcab", "wsb", "theme",
    "themepack", "library-ms", "search-ms", "searchconnector-ms", "settingcontent-ms", "appcontent-ms", "printerexport", "webpnp",
    // macOS.
    "app", "command", "tool", "terminal", "workflow", "action", "scpt", "scptd", "applescript", "osax", "prefpane", "saver", "kext",
    "dylib", "pkg", "mpkg", "mobileconfig", "webloc", "inetloc", "fileloc",
    // Linux.
    "desktop", "sh", "bash", "csh", "ksh", "zsh", "fish", "run", "appimage", "elf", "deb", "rpm", "snap", "flatpak", "flatpakref",
    "flatpakrepo",
];
