/// Taking, leaving and taking over seats.
extension SignalingRouter {
    /// - Parameter knowsTickets: The client is none of the oldest, which get nothing that they do not ask for.
    mutating func join(
        _ room: String, _ admission: Admission, _ socket: SocketID, knowsTickets: Bool
    ) -> [Output] {
        switch admission {
        case .unknown: return [.refuse(socket, .invalidRoom)]
        case .forbidden: return [.refuse(socket, .forbidden)]
        case .admitted(let side): return sit(Seat(room: room, side: side), socket, knowsTickets)
        }
    }

    private mutating func sit(_ seat: Seat, _ socket: SocketID, _ knowsTickets: Bool) -> [Output] {
        var outputs: [Output] = []
        if let current = clients[socket]?.seat, current != seat {
            outputs += vacate(current, clients[socket]?.name ?? "", .left)
        }
        let isNew = clients[socket]?.seat != seat
        if isNew, let previous = rooms[seat.room]?[seat.side] { outputs += replace(previous, in: seat) }
        clients[socket]?.seat = seat
        rooms[seat.room, default: LiveRoom()][seat.side] = socket
        // Who joins its own seat again may have somebody opposite at another node. A new one hears of that later.
        let isOppositeRemote = !isNew && rooms[seat.room]?.remote != nil
        let users = (rooms[seat.room]?.userCount ?? 0) + (isOppositeRemote ? 1 : 0)
        outputs.append(.send(socket, SignalingText.roomJoined(seat.room, users: users, seat.side)))
        // Before `room_ready`, upon which the client begins to connect.
        if offersServers, knowsTickets { outputs.append(.offerServers(socket)) }
        outputs.append(.count(.joined))
        if isNew, let name = clients[socket]?.name {
            // This seat was taken at another node.
            if rooms[seat.room]?.remote != nil, let peer = rooms[seat.room]?[seat.side.other] {
                outputs.append(.send(peer, SignalingText.peerDisconnected))
            }
            rooms[seat.room]?.remote = nil
            outputs.append(.node(.seated(seat, name: name, isAgain: false)))
        }
        let peer = rooms[seat.room]?[seat.side.other]
        guard peer != nil || isOppositeRemote else { return outputs }
        outputs.append(.send(socket, SignalingText.roomReady(seat.room, seat.side)))
        // A client that joins its own seat again does not disturb the other one.
        if isNew, let peer { outputs.append(.send(peer, SignalingText.roomReady(seat.room, seat.side.other))) }
        return outputs
    }

    /// The same device joined on another socket, so the older socket is obsolete.
    private mutating func replace(_ previous: SocketID, in seat: Seat) -> [Output] {
        clients[previous]?.seat = nil
        return [.send(previous, SignalingText.leftRoom(seat.room))] + close(previous, .replaced)
            + vacate(seat, clients[previous]?.name ?? "", .disconnected)
    }

    mutating func leave(_ socket: SocketID) -> [Output] {
        guard let client = clients[socket], let seat = client.seat else {
            return [.send(socket, SignalingText.leftRoom(nil))]
        }
        clients[socket]?.seat = nil
        return vacate(seat, client.name, .left) + [.send(socket, SignalingText.leftRoom(seat.room))]
    }

    /// Frees the seat of the socket `name` and tells the other client, wherever it is.
    mutating func vacate(_ seat: Seat, _ name: String, _ how: Departure) -> [Output] {
        let elsewhere = Output.node(.vacated(seat, name: name, how))
        rooms[seat.room]?[seat.side] = nil
        guard let room = rooms[seat.room], room.userCount > 0 else {
            rooms[seat.room] = nil
            return [elsewhere]
        }
        return (room[seat.side.other].map { [.send($0, how.news)] } ?? []) + [elsewhere]
    }

    /// Rooms and codes were removed from the store. Clients in such rooms are told, and their sockets closed.
    mutating func removed(_ removed: Removed, reason: String) -> [Output] {
        var outputs: [Output] = []
        for id in removed.rooms {
            guard let room = rooms.removeValue(forKey: id) else { continue }
            for socket in [room.creator, room.guest].compactMap(\.self) {
                clients[socket]?.seat = nil
                outputs.append(.send(socket, SignalingText.leftRoom(id)))
                outputs += close(socket, .roomDeleted)
            }
        }
        for code in removed.codes { outputs += endWatch(code, reason: reason) }
        return outputs
    }
}
