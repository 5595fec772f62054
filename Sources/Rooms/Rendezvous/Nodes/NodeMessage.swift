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
    /// News of these codes could not be sent when they were new. The store knows.
    case changed(codes: [String])

    /// What to send in its place if it could not be sent: what is still true whenever Redis is back. Who sits where is
    /// said anew then, and what people said meanwhile they say again.
    var late: [NodeMessage] {
        switch self {
        case .arrived, .relayed: []
        case .gone, .replaced, .changed: [self]
        // Somebody else may have the code by then.
        case .accepted(let code, _): [.changed(codes: [code])]
        case .removed(let removed, let reason):
            (removed.rooms.isEmpty ? [] : [.removed(Removed(rooms: removed.rooms), reason: reason)])
                + (removed.codes.isEmpty ? [] : [.changed(codes: removed.codes)])
        }
    }

    /// As it is sent: a word for its kind, and what belongs to it.
    var words: [String] {
        switch self {
        case .arrived(let room, let name, let peer, let isAgain):
            ["arrived", room, name, peer, isAgain ? "again" : "new"]
        case .gone(let room, let peer, let how): ["gone", room, peer, how.rawValue]
        case .replaced(let room, let name): ["replaced", room, name]
        case .relayed(let room, let name, let peer, let text): ["relayed", room, name, peer, text]
        case .accepted(let code, let room): ["accepted", code, room]
        case .removed(let removed, let reason):
            ["removed", reason, String(removed.rooms.count)] + removed.rooms + removed.codes
        case .changed(let codes): ["changed"] + codes
        }
    }

    /// Nil if a node of another version says what this one does not know.
    init?(_ words: [String]) {
        guard let kind = words.first else { return nil }
        switch (kind, words.count) {
        case ("arrived", 5):
            self = .arrived(room: words[1], name: words[2], peer: words[3], isAgain: words[4] == "again")
        case ("gone", 4): self = .gone(room: words[1], peer: words[2], Departure(rawValue: words[3]) ?? .disconnected)
        case ("replaced", 3): self = .replaced(room: words[1], name: words[2])
        case ("relayed", 5): self = .relayed(room: words[1], to: words[2], peer: words[3], text: words[4])
        case ("accepted", 3): self = .accepted(code: words[1], room: words[2])
        case ("removed", 3...):
            guard let rooms = Int(words[2]), (0...words.count - 3).contains(rooms) else { return nil }
            let names = words.dropFirst(3)
            self = .removed(
                Removed(rooms: Array(names.prefix(rooms)), codes: Array(names.dropFirst(rooms))), reason: words[1])
        case ("changed", _): self = .changed(codes: Array(words.dropFirst()))
        default: return nil
        }
    }
}
