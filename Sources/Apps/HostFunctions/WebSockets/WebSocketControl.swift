internal import Components
internal import Networking
internal import Wire

extension PortMessage {
    /// The port on which script and host say what happens to a WebSocket.
    static func webSocketControl(_ id: Int32) -> String { webSocket(id) + "/control" }
}

/// A port of a WebSocket by its name.
struct WebSocketPort {
    let socket: Int32
    let isControl: Bool

    init?(_ name: String) {
        guard name.hasPrefix("ws_#") else { return nil }
        var rest = name.dropFirst(4)
        isControl = rest.hasSuffix("/control")
        if isControl { rest = rest.dropLast(8) }
        guard let socket = Int32(rest), socket > 0, String(socket) == rest else { return nil }
        self.socket = socket
    }
}

/// What the host says of a WebSocket.
enum ControlEvent {
    case heartbeat(WebSocketHeartbeat)
    case disconnected(code: Int, reason: String)

    var bytes: [UInt8] {
        let object: JSONObject =
            switch self {
            case .heartbeat(.answered(let time?)):
                ["type": "heartbeat", "ping": .number(String(time.milliseconds))]
            case .heartbeat(.answered(nil)): ["type": "heartbeat"]
            case .heartbeat(.missed(let count)):
                ["type": "heartbeat-skip", "missingPongsFromServer": .number(String(count))]
            case .disconnected(let code, let reason):
                ["type": "disconnected", "code": .number(String(code)), "error": .string(reason)]
            }
        return Array(JSONValue.object(object).text.utf8)
    }
}

/// The script's wish to close a WebSocket.
struct CloseCommand {
    let code: WebSocketCloseCode
    let reason: String

    /// Nil if the message is not one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= 4096, let object = (try? JSONValue(bytes))?.object, object["type"] == "close" else {
            return nil
        }
        // Other codes are not for an application to send (RFC 6455 section 7.4).
        let code: UInt16 =
            if case .number(let text) = object["code"], let number = UInt16(text) { number } else { 1000 }
        self.code = code == 1000 || (3000...4999).contains(code) ? WebSocketCloseCode(rawValue: code) : .normal
        // A close frame holds 123 bytes of it.
        var reason = object["reason"]?.string ?? ""
        while reason.utf8.count > 123 { reason.removeLast() }
        self.reason = reason
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
