/// One whole WebSocket message, whatever frames it came in.
package enum WebSocketMessage: Sendable, Equatable {
    case text(String)
    case binary([UInt8])
}

/// Why and how a WebSocket was closed (RFC 6455 section 7.4). The codes used here have names.
package struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number on the wire.
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The purpose of the connection is fulfilled.
    package static let normal = WebSocketCloseCode(rawValue: 1000)
    /// The server stops, or the page is left.
    package static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// A frame did not follow RFC 6455.
    package static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// Never on the wire: the connection ended without a word.
    package static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// A text message was not UTF-8.
    package static let invalidData = WebSocketCloseCode(rawValue: 1007)
    /// A rule of the application was broken, such as a rate limit.
    package static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// A message was longer than the receiver takes.
    package static let tooLarge = WebSocketCloseCode(rawValue: 1009)
    /// The server is about to stop, and another one, or itself, is there again in a moment (registered with IANA).
    package static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// The server has no room now.
    package static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
}
