/// A whole binary message on one of the named ports between a component and what runs it.
public struct PortMessage: Hashable, Sendable {
    /// A function's name (`delay`), `core-ipc`, `c-<connector id>`, `fns-for-android` or `ws_#<socket id>`.
    public var port: String
    /// The message, in the encoding of its port.
    public var bytes: [UInt8]

    /// Bytes of the longest name that a port may have.
    public static let longestPort = 256

    /// A message on a port.
    public init(port: String, bytes: [UInt8]) {
        self.port = port
        self.bytes = bytes
    }
}
