/// One whole WebSocket message, whatever frames it came in.
public enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}

/// Why and how a WebSocket was closed (RFC 6455 section 7.4). The codes used here have names.
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number on the wire.
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// A frame did not follow RFC 6455.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// Never on the wire: the connection ended without a word.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text message was not UTF-8.
    public static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// A rule of the application was broken, such as a rate limit.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was longer than the receiver takes.
    public static let tooLarge = WebSocketCloseCode(rawValue: 1009)
    /// The server has no room now.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
}
