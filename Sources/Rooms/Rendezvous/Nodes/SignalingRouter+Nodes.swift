/// Rooms whose two sides are connected to different nodes.
///
/// A node seats its own clients at once, as if it were alone. Who sits opposite at another node becomes known a moment
/// later, and is treated as somebody who arrives then.
extension SignalingRouter {
    /// What the link to the other nodes has to do.
    enum NodeRequest: Equatable {
        case seated(Seat, name: String, isAgain: Bool)
        case vacated(Seat, name: String, Departure)
        case relay(RemotePeer, room: String, from: String, text: String)
        /// Tells a node that this socket is not in the room.
        case deny(RemotePeer, room: String, name: String)
    }

    /// Another node said this.
    mutating func heard(_ message: NodeMessage, from node: String) -> [Output] {
        switch message {
        case .arrived(let room, let name, let peer, let isAgain):
            arrived(room, name: name, RemotePeer(node: node, name: peer), isAgain: isAgain)
        case .gone(let room, let peer, let how): gone(room, RemotePeer(node: node, name: peer), how)
        case .replaced(let room, let name): replaced(room, name: name)
        case .relayed(let room, let name, let peer, let text):
            relayed(room, to: name, from: RemotePeer(node: node, name: peer), text)
        case .accepted(let code, let room): accepted(code, room: room)
        // Ids of rooms are never used again. Codes are, so an old message must not end a new code: only the store knows.
        case .removed(let removed, let reason): self.removed(Removed(rooms: removed.rooms), reason: reason)
        case .changed: []
        }
    }

    /// Somebody at another node sits opposite the socket `name`.
    mutating func arrived(_ room: String, name: String, _ peer: RemotePeer, isAgain: Bool) -> [Output] {
        guard let (side, socket) = seat(of: name, in: room), rooms[room]?[side.other] == nil else {
            return [.node(.deny(peer, room: room, name: name))]
        }
        let before = rooms[room]?.remote
        guard before != peer || isAgain else { return [] }
        rooms[room]?.remote = peer
        let ready = Output.send(socket, SignalingText.roomReady(room, side))
        return before == nil ? [ready] : [.send(socket, SignalingText.peerDisconnected), ready]
    }

    /// Somebody at another node has left.
    mutating func gone(_ room: String, _ peer: RemotePeer, _ how: Departure) -> [Output] {
        guard rooms[room]?.remote == peer else { return [] }
        rooms[room]?.remote = nil
        return localSockets(in: room).map { .send($0, how.news) }
    }

    /// These nodes died.
    mutating func died(_ nodes: Set<String>) -> [Output] {
        rooms.keys.sorted().flatMap { room -> [Output] in
            guard let peer = rooms[room]?.remote, nodes.contains(peer.node) else { return [] }
            return gone(room, peer, .disconnected)
        }
    }

    /// The device of the socket `name` has joined at another node.
    mutating func replaced(_ room: String, name: String) -> [Output] {
        guard let (side, socket) = seat(of: name, in: room) else { return [] }
        clients[socket]?.seat = nil
        rooms[room]?[side] = nil
        let others = localSockets(in: room)
        if others.isEmpty { rooms[room] = nil }
        return [.send(socket, SignalingText.leftRoom(room))] + close(socket, .replaced)
            + others.map { .send($0, SignalingText.peerDisconnected) }
    }

    /// A message of somebody at another node. Only who sits opposite is heard.
    mutating func relayed(_ room: String, to name: String, from peer: RemotePeer, _ text: String) -> [Output] {
        guard let (_, socket) = seat(of: name, in: room) else {
            return [.node(.deny(peer, room: room, name: name))]
        }
        guard rooms[room]?.remote == peer else { return [] }
        return [.send(socket, text)]
    }

    /// Messages of other nodes may have been lost: says anew who sits here. Whoever talks across nodes begins again.
    mutating func resync() -> [Output] {
        var outputs: [Output] = []
        for room in rooms.keys.sorted() {
            if let peer = rooms[room]?.remote { outputs += gone(room, peer, .disconnected) }
            for socket in localSockets(in: room) {
                guard let client = clients[socket], let seat = client.seat else { continue }
                outputs.append(.node(.seated(seat, name: client.name, isAgain: true)))
            }
        }
        return outputs
    }

    /// The nodes at which somebody sits opposite one of ours.
    var remoteNodes: Set<String> { Set(rooms.values.compactMap(\.remote?.node)) }

    private func seat(of name: String, in room: String) -> (Side, SocketID)? {
        for side in [Side.creator, .guest] {
            if let socket = rooms[room]?[side], clients[socket]?.name == name { return (side, socket) }
        }
        return nil
    }

    private func localSockets(in room: String) -> [SocketID] {
        [rooms[room]?.creator, rooms[room]?.guest].compactMap(\.self)
    }
}
