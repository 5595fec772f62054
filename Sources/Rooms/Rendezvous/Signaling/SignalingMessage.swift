internal import Wire

/// A message of a client on its socket.
enum SignalingMessage: Equatable {
    case ask(SignalingQuestion)
    case leaveRoom
    /// For the other client in the room, with the fields of its type.
    case relay(String, [JSONObject.Member])
    case pingPeer
    case ping
    /// Asks for STUN and TURN servers.
    case iceServers

    /// The largest `data` of a `verify` message, in characters.
    static let verifyLimit = 4096

    private static let relayed: [String: [String]] = [
        "webrtc_offer": ["sdp"],
        "webrtc_answer": ["sdp"],
        "ice_candidate": ["candidate"],
        "key_exchange": ["publicKey", "sessionId", "timestamp"],
        "key_exchange_complete": ["sessionId", "timestamp"],
        "verify": ["data"],
    ]

    init(_ text: String) throws(SignalingError) {
        guard let json = try? JSONValue(text.utf8), let object = json.object else { throw .invalidJSON }
        let type = object["type"]?.string ?? "undefined"
        switch type {
        case "join_room": self = .ask(try Self.join(object))
        case "watch": self = .ask(try Self.watch(object))
        case "leave_room": self = .leaveRoom
        case "ping_peer": self = .pingPeer
        case "ping": self = .ping
        case "ice_servers": self = .iceServers
        default:
            guard let names = Self.relayed[type] else { throw .unknownType(String(type.prefix(64))) }
            if type == "verify", !Self.isVerifyData(object["data"]) { throw .invalidVerify }
            self = .relay(type, names.compactMap { name in object[name].map { .init(name: name, value: $0) } })
        }
    }

    private static func isVerifyData(_ value: JSONValue?) -> Bool {
        guard let data = value?.string, data.utf8.count <= verifyLimit else { return false }
        return (try? Base64URL.decode(data)) != nil
    }

    private static func join(_ object: JSONObject) throws(SignalingError) -> SignalingQuestion {
        guard let room = object["roomId"]?.string, !room.isEmpty, room.utf8.count <= 64 else { throw .invalidRoom }
        return .join(room: room, proof(object))
    }

    private static func watch(_ object: JSONObject) throws(SignalingError) -> SignalingQuestion {
        guard let code = JoinID(object["joinid"]), DeviceID.isValid(object["deviceId"]) else { throw .invalidWatch }
        return .watch(code: code.text, proof(object))
    }

    private static func proof(_ object: JSONObject) -> Proof {
        Proof(device: object["deviceId"]?.string, ticket: object["ticket"]?.string)
    }
}

/// A question that only the store can answer.
enum SignalingQuestion: Equatable, Sendable {
    case join(room: String, Proof)
    case watch(code: String, Proof)
}

enum SignalingAnswer: Equatable, Sendable {
    case join(Admission)
    case watch(Check)
    case tooManyAttempts
    case failed
}

/// Why the server closes a socket; the raw value is a label for metrics and the log.
enum SignalingClose: String, Sendable {
    case tooManyMessages = "too_many_messages"
    case replaced
    case roomDeleted = "room_deleted"
    case storeFailed = "store_failed"
}

/// What is counted.
enum SignalingEvent: Equatable, Sendable {
    case joined
    case relayed
    /// The news of an acceptance was sent.
    case pushed
    /// The server closed a socket.
    case closed(SignalingClose)
}
