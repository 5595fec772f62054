import AppCore
import ForeignCore

/// The block on foreign cores in docs/c-abi.md. ForeignCoreTests run it.
private enum ForeignCoreSnippet {
    // swift-format-ignore
    static func hold(_ library: String, _ perform: ([JSONValue]) -> Void, _ draw: (JSONValue) -> Void) throws {
        let core = try ForeignCore(library: library, scenario: .string("connected_chat"))
        let report = try core.dispatch(Array(#"{"type":"tap_node","node_id":"chat.send"}"#.utf8))
        perform(report.effects)
        draw(try core.tree().value)
    }
}
