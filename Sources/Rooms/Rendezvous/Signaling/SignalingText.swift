internal import Wire

/// The server's own messages, each one JSON object tagged by `type`.
enum SignalingText {
    static func connected(_ client: String) -> String {
        text(["type": "connected", "clientId": .string(client), "server": "alcove"])
    }

    static func roomJoined(_ room: String, users: Int, _ side: Side) -> String {
        text([
            "type": "room_joined", "roomId": .string(room), "userCount": .number(String(users)),
            "isInitiator": .bool(side == .creator), "ready": .bool(users == 2),
        ])
    }

    static func roomReady(_ room: String, _ side: Side) -> String {
        text([
            "type": "room_ready", "roomId": .string(room), "message": "Both users are connected", "userCount": 2,
            "isInitiator": .bool(side == .creator),
        ])
    }

    static func leftRoom(_ room: String?) -> String {
        text(["type": "left_room", "roomId": room.map(JSONValue.string) ?? .null])
    }

    static let peerLeft = text(["type": "peer_left", "message": "The other user has left the room"])
    static let peerDisconnected = text(["type": "peer_disconnected", "message": "The other user is disconnected"])
    static let pong = text(["type": "pong"])
    static let pingSent = text(["type": "ping_sent"])

    static func watching(_ code: String) -> String { text(["type": "watching", "joinid": .string(code)]) }

    static func roomAccepted(_ code: String, _ room: String) -> String {
        text(["type": "room_accepted", "joinid": .string(code), "roomId": .string(room)])
    }

    static func watchEnded(_ code: String, _ reason: String) -> String {
        text(["type": "watch_ended", "joinid": .string(code), "reason": .string(reason)])
    }

    static func error(_ error: SignalingError) -> String { text(["type": "error", "error": .string(error.text)]) }

    private static func text(_ message: JSONValue) -> String { message.text }
}

/// An error in a client's message.
enum SignalingError: Error, Equatable {
    case invalidJSON
    case unknownType(String)
    case invalidRoom
    case invalidWatch
    case invalidVerify
    case forbidden
    case notInRoom
    case notSignaling
    case alone
    case tooManyAttempts
    case tooManyWatches

    /// The texts on the wire. Older clients know those of the first six lines.
    var text: String {
        switch self {
        case .invalidJSON: "Invalid JSON format"
        case .unknownType(let type): "Unknown message type: \(type)"
        case .invalidRoom: "Invalid roomId"
        case .notSignaling: "Not in a valid room for WebRTC signaling"
        case .alone: "Room must have exactly 2 users for WebRTC"
        case .notInRoom: "Not in a room"
        case .invalidWatch: "Invalid joinid or deviceId"
        case .invalidVerify: "Invalid verify data"
        case .forbidden: "Forbidden"
        case .tooManyAttempts: "Too many attempts"
        case .tooManyWatches: "Too many watches"
        }
    }

    /// The same as a label for metrics.
    var reason: String {
        switch self {
        case .invalidJSON: "invalid_json"
        case .unknownType: "unknown_type"
        case .invalidRoom: "invalid_room"
        case .notSignaling, .notInRoom: "not_in_room"
        case .alone: "peer_absent"
        case .invalidWatch: "invalid_watch"
        case .invalidVerify: "invalid_verify"
        case .forbidden: "forbidden"
        case .tooManyAttempts: "too_many_attempts"
        case .tooManyWatches: "too_many_watches"
        }
    }
}
