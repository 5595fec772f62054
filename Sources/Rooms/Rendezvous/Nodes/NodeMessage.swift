internal import Wire

/// Somebody in a room whose socket is at another node.
struct RemotePeer: Hashable, Sendable {
    /// The id of the node: 16 random bytes in hexadecimal digits, other ones after each start.
    let node: String
    /// The name of the socket, which clients see as `from`.
    let name: String
}

/// How somebody left a seat.
enum Departure: String, Sendable {
    case left
    case disconnected

    var news: String { self == .left ? SignalingText.peerLeft : SignalingText.peerDisconnected }
}

/// What one node tells another. Names are those of sockets: a message for a socket that has gone, or from one that is
/// not in the room, has no effect.
enum NodeMessage: Equatable, Sendable {
    /// `peer`, a socket of the sender, sits opposite `name`. `isAgain` if the sender may have missed messages.
    case arrived(room: String, name: String, peer: String, isAgain: Bool)
    /// `peer`, a socket of the sender, is in the room no more.
    case gone(room: String, peer: String, Departure)
    /// The device of `name` sits at the sender's node now.
    case replaced(room: String, name: String)
    case relayed(room: String, to: String, peer: String, text: String)
    case accepted(code: String, room: String)
    case removed(Removed, reason: String)

    var json: JSONObject {
        switch self {
        case .arrived(let room, let name, let peer, let isAgain):
            [
                "type": "arrived", "room": .string(room), "name": .string(name), "peer": .string(peer),
                "again": .bool(isAgain),
            ]
        case .gone(let room, let peer, let how):
            ["type": "gone", "room": .string(room), "peer": .string(peer), "how": .string(how.rawValue)]
        case .replaced(let room, let name): ["type": "replaced", "room": .string(room), "name": .string(name)]
        case .relayed(let room, let name, let peer, let text):
            [
                "type": "relayed", "room": .string(room), "name": .string(name), "peer": .string(peer),
                "text": .string(text),
            ]
        case .accepted(let code, let room): ["type": "accepted", "code": .string(code), "room": .string(room)]
        case .removed(let removed, let reason):
            [
                "type": "removed", "rooms": .array(removed.rooms.map(JSONValue.string)),
                "codes": .array(removed.codes.map(JSONValue.string)), "reason": .string(reason),
            ]
        }
    }

    /// Nil if a node of another version says what this one does not know.
    init?(_ json: JSONObject) {
        func text(_ name: String) -> String { json[name]?.string ?? "" }
        func texts(_ name: String) -> [String] {
            if case .array(let values)? = json[name] { values.compactMap(\.string) } else { [] }
        }
        switch text("type") {
        case "arrived":
            self = .arrived(
                room: text("room"), name: text("name"), peer: text("peer"), isAgain: json["again"] == true)
        case "gone":
            self = .gone(room: text("room"), peer: text("peer"), Departure(rawValue: text("how")) ?? .disconnected)
        case "replaced": self = .replaced(room: text("room"), name: text("name"))
        case "relayed":
            self = .relayed(room: text("room"), to: text("name"), peer: text("peer"), text: text("text"))
        case "accepted": self = .accepted(code: text("code"), room: text("room"))
        case "removed":
            self = .removed(Removed(rooms: texts("rooms"), codes: texts("codes")), reason: text("reason"))
        default: return nil
        }
    }
}
