/// Why a tree or a viewport was not taken.
public struct LayoutError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, Codable {
        case tooLarge = "too_large"
        case tooManyNodes = "too_many_nodes"
        case tooDeep = "too_deep"
        case textTooLong = "text_too_long"
        case unreadable
        case viewportInvalid = "viewport_invalid"
    }

    public let code: Code
    /// What is wrong and what to do about it. It quotes nothing of the tree but ids and names of keys.
    public let message: String

    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// What a tree may have. Trees come from foreign cores, so everything in them is counted.
public enum ViewLimits {
    /// Nodes in a tree.
    public static let nodes = 100_000
    /// Levels of a tree, the root being the first.
    public static let depth = 64
    /// Bytes of UTF-8 in a label, value or detail: twice the longest message.
    public static let textBytes = 128 << 10
    /// Bytes of UTF-8 in an id, a role or the name of an action.
    public static let nameBytes = 1024
    /// Actions of a node.
    public static let actions = 64
    /// Bytes of JSON.
    public static let jsonBytes = 64 << 20
    /// Points along a side of a viewport.
    public static let viewport = 120...4096
}
