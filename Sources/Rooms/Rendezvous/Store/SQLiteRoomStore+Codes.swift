internal import Storage

/// The life of a code: created, accepted, seen.
extension SQLiteRoomStore {
    private struct Pending {
        let creator: Party
        let expiresAt: Timestamp
        let room: String?
        let nonce: [UInt8]
    }

    /// The code, unless its time is over: a code that was not accepted is removed when it expires.
    private func pending(_ code: String, now: Timestamp) throws -> Pending? {
        try database.first(
            "SELECT creator, creator_ticket, expires_at, room, nonce FROM pendings WHERE code = ? AND keep_until > ?",
            code,
            now
        ) { row in
            Pending(
                creator: Party(device: try row[0], ticket: try row[1]),
                expiresAt: try row[2],
                room: try row[3],
                nonce: try row[4] as [UInt8]? ?? []
            )
        }
    }

    func create(_ request: Creation, now: Timestamp) throws -> Creation.Outcome {
        try database.transaction {
            if let pending = try pending(request.code, now: now) { return try recreate(request, pending) }
            counts.pendingRooms -= try database.execute("DELETE FROM pendings WHERE code = ?", request.code)
            guard counts.pendingRooms < request.limit else { return .full }
            counts.pendingRooms += try database.execute(
                """
                INSERT INTO pendings (code, creator, creator_ticket, expires_at, keep_until, nonce)
                VALUES (?1, ?2, ?3, ?4, ?4, ?5)
                """,
                request.code,
                request.creator.device,
                request.creator.ticket,
                request.expiresAt,
                request.nonce
            )
            return .created(expiresAt: request.expiresAt)
        }
    }

    /// The code is in use, perhaps by the same client, whose answer was lost.
    private func recreate(_ request: Creation, _ pending: Pending) throws -> Creation.Outcome {
        guard let ticket = request.creator.ticket, pending.creator.ticket != nil,
            pending.creator.device == request.creator.device
        else { return .codeInUse }
        guard pending.nonce == request.nonce else { return .repeated(nonce: pending.nonce) }
        if ticket != pending.creator.ticket {
            try database.execute("UPDATE pendings SET creator_ticket = ? WHERE code = ?", ticket, request.code)
            if let room = pending.room {
                try database.execute("UPDATE rooms SET creator_ticket = ? WHERE id = ?", ticket, room)
            }
        }
        return .created(expiresAt: pending.expiresAt)
    }

    func accept(_ request: Acceptance, now: Timestamp) throws -> Acceptance.Outcome {
        try database.transaction {
            guard let pending = try pending(request.code, now: now) else { return .unknown }
            if let room = pending.room { return try reaccept(request, room, isExpired: pending.expiresAt <= now) }
            guard pending.creator.device != request.guest.device else { return .conflict }
            guard counts.rooms < request.limit else { return .full }
            counts.rooms += try database.execute(
                """
                INSERT INTO rooms (id, creator, creator_ticket, guest, guest_ticket, used_at) VALUES (?, ?, ?, ?, ?, ?)
                """,
                request.room,
                pending.creator.device,
                pending.creator.ticket,
                request.guest.device,
                request.guest.ticket,
                now
            )
            try database.execute(
                "UPDATE pendings SET room = ?, keep_until = max(expires_at, ?) WHERE code = ?",
                request.room,
                now + request.grace,
                request.code
            )
            return .accepted(room: request.room)
        }
    }

    /// The code was accepted before, perhaps by the same client, whose answer was lost.
    private func reaccept(_ request: Acceptance, _ id: String, isExpired: Bool) throws -> Acceptance.Outcome {
        guard let room = try room(id), room.guest.device == request.guest.device,
            (room.guest.ticket == nil) == (request.guest.ticket == nil)
        else { return isExpired ? .unknown : .conflict }
        if let ticket = request.guest.ticket {
            guard request.room == id else { return .repeated(room: id) }
            try database.execute("UPDATE rooms SET guest_ticket = ? WHERE id = ?", ticket, id)
        }
        return .accepted(room: id)
    }

    func watch(code: String, by creator: Proof, now: Timestamp) throws -> Check {
        guard let pending = try pending(code, now: now), pending.creator.device == creator.device else {
            return .unknown
        }
        guard creator.fits(pending.creator) else { return .forbidden }
        if let room = pending.room { return .accepted(room: room) }
        return .pending(expiresAt: pending.expiresAt)
    }

    func news(of codes: [String], now: Timestamp) throws -> [String: CodeNews] {
        try codes.reduce(into: [:]) { news, code in
            if let pending = try pending(code, now: now) {
                news[code] = pending.room.map { .accepted(room: $0) }
            } else {
                news[code] = .gone
            }
        }
    }

    func check(code: String, by creator: Proof, now: Timestamp) throws -> Check {
        try database.transaction {
            let result = try watch(code: code, by: creator, now: now)
            guard case .accepted = result else { return result }
            if creator.ticket == nil {
                // A client without a ticket gets one answer, because a second request may come from another client.
                counts.pendingRooms -= try database.execute("DELETE FROM pendings WHERE code = ?", code)
            } else {
                try database.execute(
                    "UPDATE pendings SET keep_until = min(keep_until, max(expires_at, ?)) WHERE code = ?",
                    now + Self.repeatWindow,
                    code
                )
            }
            return result
        }
    }
}
