//! What a person pastes into a program so that its assistant reaches the office.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use serde_json::json;

use super::PATH;
use crate::config::program_path;

/// Returns the lines for usual programs, with address and key filled in, each with the names of its programs. `name` is the
/// name of the key, and `folder` the data folder, for `pleito mcp`.
pub fn lines(server: SocketAddr, key: &str, name: &str, folder: &Path) -> [(&'static str, String); 4] {
    let here = match server.ip().is_unspecified() {
        true => SocketAddr::from((Ipv4Addr::LOCALHOST, server.port())),
        false => server,
    };
    let url = format!("http://{here}{PATH}");
    let claude_code =
        format!("claude mcp add --transport http pleito {url} --header \"Authorization: Bearer {key}\"");
    let by_address = format!(
        r#"{{"mcpServers": {{"pleito": {{"url": "{url}", "headers": {{"Authorization": "Bearer {key}"}}}}}}}}"#
    );
    let program = program_path();
    let arguments = json!(["mcp", "--key", name, "--data-dir", folder.to_string_lossy()]);
    let by_command =
        json!({ "mcpServers": { "pleito": { "command": program.to_string_lossy(), "args": arguments } } });
    let by_node = format!(
        r#"{{"mcpServers": {{"pleito": {{"command": "npx", "args": ["mcp-remote", "{url}", "--header", "Authorization:${{KEY}}"], "env": {{"KEY": "Bearer {key}"}}}}}}}}"#
    );
    [
        ("Claude Code", claude_code),
        ("LM Studio, Cursor (mcp.json)", by_address),
        ("Claude Desktop (claude_desktop_config.json)", by_command.to_string()),
        ("Claude Desktop, Node.js", by_node),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_lines_have_address_and_key_in_the_form_of_each_program() {
        let server = SocketAddr::from(([0, 0, 0, 0], 8743));
        let [code, by_address, by_command, by_node] =
            lines(server, "plk_x", "da \"Ana\"", Path::new("/srv/a b")).map(|(_, text)| text);
        assert!(
            code.ends_with(r#"http://127.0.0.1:8743/mcp --header "Authorization: Bearer plk_x""#),
            "{code}"
        );
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap()["mcpServers"]["pleito"].clone();
        assert_eq!(json(&by_address)["headers"]["Authorization"], "Bearer plk_x");
        assert!(!by_command.contains("plk_x"), "{by_command}");
        let arguments = serde_json::json!(["mcp", "--key", "da \"Ana\"", "--data-dir", "/srv/a b"]);
        assert_eq!(json(&by_command)["args"], arguments);
        assert_eq!(json(&by_node)["env"]["KEY"], "Bearer plk_x");
        assert_eq!(json(&by_node)["args"][3], "Authorization:${KEY}");
    }
}
