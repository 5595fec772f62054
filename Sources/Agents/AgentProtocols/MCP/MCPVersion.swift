/// The revisions of the Model Context Protocol that begin with `initialize`, by the days on which they appeared.
package enum MCPVersion: String, Sendable, CaseIterable {
    case november2024 = "2024-11-05"
    case march2025 = "2025-03-26"
    case june2025 = "2025-06-18"
    case november2025 = "2025-11-25"

    package static let newest = november2025

    /// What is spoken with a client that asks for a version: that one, or the newest if it is not known here. The client then ends the connection if it
    /// does not know that.
    package init(asked: String) { self = MCPVersion(rawValue: asked) ?? .newest }

    /// Whether a line may be an array of messages. Only one revision has them.
    package var hasBatches: Bool { self == .march2025 }
}
