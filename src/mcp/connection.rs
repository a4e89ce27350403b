//! What a person pastes into a program so that its assistant reaches the office.

use std::net::{Ipv4Addr, SocketAddr};

use super::PATH;

/// Returns the lines for usual programs, with address and key filled in, each with the names of its programs.
pub fn lines(server: SocketAddr, key: &str) -> [(&'static str, String); 3] {
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
    let by_program = format!(
        r#"{{"mcpServers": {{"pleito": {{"command": "npx", "args": ["mcp-remote", "{url}", "--header", "Authorization:${{KEY}}"], "env": {{"KEY": "Bearer {key}"}}}}}}}}"#
    );
    [
        ("Claude Code", claude_code),
        ("LM Studio, Cursor (mcp.json)", by_address),
        ("Claude Desktop (claude_desktop_config.json)", by_program),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_lines_have_address_and_key_in_the_form_of_each_program() {
        let [code, by_address, by_program] =
            lines(SocketAddr::from(([0, 0, 0, 0], 8743)), "plk_x").map(|(_, text)| text);
        assert!(
            code.ends_with(r#"http://127.0.0.1:8743/mcp --header "Authorization: Bearer plk_x""#),
            "{code}"
        );
        let json = |text: &str| serde_json::from_str::<Value>(text).unwrap()["mcpServers"]["pleito"].clone();
        assert_eq!(json(&by_address)["headers"]["Authorization"], "Bearer plk_x");
        assert_eq!(json(&by_program)["env"]["KEY"], "Bearer plk_x");
        assert_eq!(json(&by_program)["args"][3], "Authorization:${KEY}");
    }
}
