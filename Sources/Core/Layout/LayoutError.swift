@_exported public import Errors

/// Why a tree or a viewport was not taken.
package typealias LayoutError = CodedError<LayoutErrorCode>

/// The codes of ``LayoutError``.
package enum LayoutErrorCode: String, ErrorCode, Codable {
    case tooLarge = "too_large"
    case tooManyNodes = "too_many_nodes"
    case tooDeep = "too_deep"
    case textTooLong = "text_too_long"
    case unreadable
    case viewportInvalid = "viewport_invalid"
}

/// What a tree may have. Trees come from foreign cores, so everything in them is counted.
package enum ViewLimits {
    /// Nodes in a tree.
    package static let nodes = 100_000
    /// Levels of a tree, the root being the first.
    package static let depth = 64
    /// Bytes of UTF-8 in a label, value or detail: twice the longest message.
    package static let textBytes = 128 << 10
    /// Bytes of UTF-8 in an id, a role or the name of an action.
    package static let nameBytes = 1024
    /// Actions of a node.
    package static let actions = 64
    /// Bytes of JSON.
    package static let jsonBytes = 64 << 20
    /// Points along a side of a viewport.
    package static let viewport = 120...4096
}
