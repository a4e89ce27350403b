//! The version of the protocol. `rmcp` negotiates it with the first message, and compares the version in a later message
//! with that in its header. A version in the header alone is checked here.

use http::header::HeaderMap;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, JsonRpcError, ProtocolVersion};
use rmcp::transport::common::http_header::HEADER_MCP_PROTOCOL_VERSION;
use serde_json::Value;

/// Returns the error of a message that names a version only in its header, if no such version exists.
pub(in crate::mcp) fn unsupported_version(
    headers: &HeaderMap,
    message: &ClientJsonRpcMessage,
) -> Option<JsonRpcError> {
    let version = String::from_utf8_lossy(headers.get(HEADER_MCP_PROTOCOL_VERSION)?.as_bytes());
    let id = match message {
        ClientJsonRpcMessage::Request(request) => {
            let is_first = matches!(request.request, ClientRequest::InitializeRequest(_));
            if is_first || request.request.get_meta().protocol_version().is_some() {
                return None;
            }
            Some(request.id.clone())
        }
        _ => None,
    };
    let known = ProtocolVersion::KNOWN_VERSIONS;
    if known.iter().any(|known| known.as_str() == version) {
        return None;
    }
    let version = serde_json::from_value(Value::String(version.into_owned())).ok()?;
    Some(JsonRpcError::new(id, ErrorData::unsupported_protocol_version(version, known)))
}
