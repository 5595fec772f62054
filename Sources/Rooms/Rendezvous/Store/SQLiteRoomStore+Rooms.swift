internal import Storage

/// The life of a room: used, deleted, forgotten.
extension SQLiteRoomStore {
    func room(_ id: String) throws -> Room? {
        try database.first(
            "SELECT id, creator, creator_ticket, guest, guest_ticket FROM rooms WHERE id = ?",
            id
        ) { try Self.room($0) }
    }

    private static func room(_ row: borrowing Row) throws -> Room {
        Room(
            id: try row[0],
            creator: Party(device: try row[1], ticket: try row[2]),
            guest: Party(device: try row[3], ticket: try row[4])
        )
    }

    func admit(to id: String, _ proof: Proof, now: Timestamp) throws -> Admission {
        guard let room = try room(id) else { return .unknown }
        guard proof.device != nil, case .party(let side) = room.standing(of: proof) else { return .forbidden }
        try database.execute(
            "UPDATE rooms SET used_at = ? WHERE id = ? AND used_at <= ?",
            now,
            id,
            now - Self.useGranularity
        )
        return .admitted(side)
    }

    func touch(rooms: [String], now: Timestamp) throws {
        try database.transaction {
            for id in rooms { try database.execute("UPDATE rooms SET used_at = ? WHERE id = ?", now, id) }
        }
    }

    func delete(room id: String, _ proof: Proof) throws -> Deletion {
        try database.transaction {
            guard let room = try room(id) else { return .deleted(Removed()) }
            guard room.standing(of: proof) != .none else { return .forbidden }
            return .deleted(try remove(rooms: [id]))
        }
    }

    func purge(devices: [String], tickets: [[UInt8]]) throws -> Removed {
        let tickets = Set(tickets)
        return try database.transaction {
            var removed = Removed()
            for device in Set(devices) {
                func isOwned(_ party: Party) -> Bool {
                    party.device == device && party.ticket.map(tickets.contains) ?? true
                }
                let owned = try rooms(of: device).filter { isOwned($0.creator) || isOwned($0.guest) }
                let gone = try remove(rooms: owned.map(\.id))
                let codes = try codes(of: device).filter { isOwned($0.creator) }.map(\.code)
                for code in codes { try remove(code: code) }
                removed.rooms += gone.rooms
                removed.codes += gone.codes + codes
            }
            return removed
        }
    }

    private func rooms(of device: String) throws -> [Room] {
        try database.query(
            """
            SELECT id, creator, creator_ticket, guest, guest_ticket FROM rooms WHERE creator = ?1
            UNION SELECT id, creator, creator_ticket, guest, guest_ticket FROM rooms WHERE guest = ?1
            """,
            device
        ) { try Self.room($0) }
    }

    private func codes(of device: String) throws -> [(code: String, creator: Party)] {
        try database.query("SELECT code, creator_ticket FROM pendings WHERE creator = ?", device) { row in
            (code: try row[0], creator: Party(device: device, ticket: try row[1]))
        }
    }

    func sweep(now: Timestamp, idleSince: Timestamp, limit: Int = 1000) throws -> Removed {
        try database.transaction {
            let codes: [String] = try database.query(
                "SELECT code FROM pendings WHERE keep_until <= ? LIMIT ?", now, limit
            ) { try $0[0] }
            for code in codes { try remove(code: code) }
            let rooms: [String] = try database.query(
                "SELECT id FROM rooms WHERE used_at < ? LIMIT ?", idleSince, limit
            ) { try $0[0] }
            var removed = try remove(rooms: rooms)
            removed.codes += codes
            if max(codes.count, rooms.count) < limit { try count() }
            return removed
        }
    }

    /// Removes rooms together with the codes that still lead to them.
    private func remove(rooms: [String]) throws -> Removed {
        var removed = Removed()
        for id in rooms {
            let count = try database.execute("DELETE FROM rooms WHERE id = ?", id)
            counts.rooms -= count
            if count > 0 { removed.rooms.append(id) }
            let codes: [String] = try database.query("SELECT code FROM pendings WHERE room = ?", id) { try $0[0] }
            for code in codes { try remove(code: code) }
            removed.codes += codes
        }
        return removed
    }

    private func remove(code: String) throws {
        counts.pendingRooms -= try database.execute("DELETE FROM pendings WHERE code = ?", code)
    }
}
