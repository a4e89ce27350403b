//! Files that install the authority's certificate: a script for Windows and a profile for Apple's systems. They
//! contain the certificate, so that they also work where they are carried to.

use std::fmt::Write as _;

use http::header::HeaderValue;

use crate::domain::Lang;
use crate::http::answers::header::header_value;
use crate::lan::Root;

pub(super) fn attachment(name: &str) -> HeaderValue {
    header_value(&format!("attachment; filename=\"{name}\""))
}

/// Returns the script for Windows. It shows the fingerprint, waits for a key, and has Windows ask if the user
/// wants to trust the authority. It needs no administrator.
pub(super) fn windows_script(root: &Root, lang: Lang) -> String {
    let [what, compare, done, failed] = lang.pick(
        [
            "Com este arquivo, o Windows passa a confiar no servidor do Pleito do seu escritório, só para este usuário.",
            "Compare com a impressão digital mostrada na máquina do Pleito. Se for diferente, feche esta janela.",
            "Pronto. Feche e abra o navegador.",
            "O certificado não foi instalado.",
        ],
        [
            "This file makes Windows trust your office's Pleito server, for this user only.",
            "Compare this with the fingerprint that Pleito's own machine shows. If it is different, close this window.",
            "Done. Close and reopen the browser.",
            "The certificate was not installed.",
        ],
    );
    let mut lines = vec![
        "@echo off".to_owned(),
        "setlocal".to_owned(),
        "chcp 65001 >nul".to_owned(),
        "title Pleito".to_owned(),
        format!("echo {what}"),
        "echo.".to_owned(),
        "echo SHA-256:".to_owned(),
    ];
    let (first, second) = root.fingerprint.split_at_checked(48).unwrap_or((&root.fingerprint, ""));
    lines.extend([first, second].map(|half| format!("echo   {}", half.trim_end_matches(':'))));
    lines.extend(["echo.".to_owned(), format!("echo {compare}"), "pause".to_owned()]);
    lines.push("set \"pem=%TEMP%\\pleito-ca.pem\"".to_owned());
    lines.push("type nul >\"%pem%\"".to_owned());
    lines.extend(root.pem.lines().map(|line| format!(">>\"%pem%\" echo {line}")));
    lines.push("certutil -user -f -addstore Root \"%pem%\" >nul".to_owned());
    lines.push(format!("if errorlevel 1 (echo {failed}) else (echo {done})"));
    lines.extend(["del \"%pem%\"".to_owned(), "pause".to_owned()]);
    lines.iter().fold(String::new(), |mut script, line| {
        let _ = write!(script, "{line}\r\n");
        script
    })
}

/// Returns the configuration profile for iPhone, iPad and macOS. It is not signed, since no authority that Apple
/// knows could sign it. Its UUIDs follow from the fingerprint: a profile that is installed again replaces itself.
pub(super) fn apple_profile(root: &Root, lang: Lang) -> String {
    let (name, about) = lang.pick(
        ("Pleito: servidor do escritório", "Faz este aparelho confiar no servidor do Pleito do escritório."),
        ("Pleito: the office's server", "Has this device trust the office's Pleito server."),
    );
    let hash = root.fingerprint.replace(':', "");
    let (profile, payload) =
        hash.split_at_checked(32).map_or_else(Default::default, |(one, other)| (uuid(one), uuid(other)));
    let certificate =
        root.pem.lines().filter(|line| !line.starts_with("-----")).collect::<Vec<_>>().join("\n");
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>PayloadType</key><string>Configuration</string>
	<key>PayloadVersion</key><integer>1</integer>
	<key>PayloadIdentifier</key><string>br.pleito.trust.{profile}</string>
	<key>PayloadUUID</key><string>{profile}</string>
	<key>PayloadDisplayName</key><string>{name}</string>
	<key>PayloadDescription</key><string>{about} SHA-256: {fingerprint}</string>
	<key>PayloadContent</key>
	<array>
		<dict>
			<key>PayloadType</key><string>com.apple.security.root</string>
			<key>PayloadVersion</key><integer>1</integer>
			<key>PayloadIdentifier</key><string>br.pleito.trust.{profile}.ca</string>
			<key>PayloadUUID</key><string>{payload}</string>
			<key>PayloadDisplayName</key><string>{name}</string>
			<key>PayloadCertificateFileName</key><string>pleito-ca.cer</string>
			<key>PayloadContent</key>
			<data>
{certificate}
			</data>
		</dict>
	</array>
</dict>
</plist>
"#,
        fingerprint = root.fingerprint,
    )
}

/// Returns a UUID of version 8 (RFC 9562, 5.8) from 32 upper-case hexadecimal digits.
fn uuid(digits: &str) -> String {
    let mut uuid = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if matches!(place, 8 | 12 | 16 | 20) {
            uuid.push('-');
        }
        uuid.push(match place {
            12 => '8',
            16 => 'A',
            _ => digit,
        });
    }
    uuid
}
