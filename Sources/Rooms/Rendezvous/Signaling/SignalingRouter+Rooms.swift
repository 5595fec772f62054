/// Taking, leaving and taking over seats.
extension SignalingRouter {
    mutating func join(_ room: String, _ admission: Admission, _ socket: SocketID) -> [Output] {
        switch admission {
        case .unknown: return [.refuse(socket, .invalidRoom)]
        case .forbidden: return [.refuse(socket, .forbidden)]
        case .admitted(let side): return sit(Seat(room: room, side: side), socket)
        }
    }

    private mutating func sit(_ seat: Seat, _ socket: SocketID) -> [Output] {
        var outputs: [Output] = []
        if let current = clients[socket]?.seat, current != seat {
            outputs += vacate(current, telling: SignalingText.peerLeft)
        }
        let isNew = clients[socket]?.seat != seat
        if isNew, let previous = rooms[seat.room]?[seat.side] { outputs += replace(previous, in: seat) }
        clients[socket]?.seat = seat
        rooms[seat.room, default: LiveRoom()][seat.side] = socket
        let users = rooms[seat.room]?.userCount ?? 0
        outputs.append(.send(socket, SignalingText.roomJoined(seat.room, users: users, seat.side)))
        outputs.append(.count(.joined))
        guard let peer = rooms[seat.room]?[seat.side.other] else { return outputs }
        outputs.append(.send(socket, SignalingText.roomReady(seat.room, seat.side)))
        // A client that joins its own seat again does not disturb the other one.
        if isNew { outputs.append(.send(peer, SignalingText.roomReady(seat.room, seat.side.other))) }
        return outputs
    }

    /// The same device joined on another socket, so the older socket is obsolete.
    private mutating func replace(_ previous: SocketID, in seat: Seat) -> [Output] {
        clients[previous]?.seat = nil
        return [.send(previous, SignalingText.leftRoom(seat.room))] + close(previous, .replaced)
            + vacate(seat, telling: SignalingText.peerDisconnected)
    }

    mutating func leave(_ socket: SocketID) -> [Output] {
        guard let seat = clients[socket]?.seat else { return [.send(socket, SignalingText.leftRoom(nil))] }
        clients[socket]?.seat = nil
        return vacate(seat, telling: SignalingText.peerLeft) + [.send(socket, SignalingText.leftRoom(seat.room))]
    }

    /// Frees a seat and tells the other client.
    mutating func vacate(_ seat: Seat, telling news: String) -> [Output] {
        rooms[seat.room]?[seat.side] = nil
        guard let room = rooms[seat.room], room.userCount > 0 else {
            rooms[seat.room] = nil
            return []
        }
        return room[seat.side.other].map { [.send($0, news)] } ?? []
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
