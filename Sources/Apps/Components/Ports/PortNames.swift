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
