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

extension PortMessage {
    /// The port on which a script's functions are called: messages `RequestWithinCallIntoJS` and `ReplyWithinCall`.
    public static let scriptFunctions = "fns-for-android"
    /// The port of a component to the core: bytes of the object IPC.
    public static let coreIPC = "core-ipc"

    /// A core's port to one component: bytes of the object IPC.
    public static func connector(_ id: String) -> String { "c-\(id)" }

    /// A core's port to one WebSocket: the UTF-8 of one text in each message.
    public static func webSocket(_ id: Int32) -> String { "ws_#\(id)" }
}
