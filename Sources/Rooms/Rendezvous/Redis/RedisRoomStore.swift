internal import Redis

/// Rooms in a Redis that several servers share.
///
/// Each decision is one script, which Redis runs as one step. Where a ticket has to be compared, the comparison happens
/// here, in constant time, and the script that follows changes nothing if the code has become another one meanwhile.
final class RedisRoomStore: RoomStore {
    /// Whose time decides what has expired.
    enum Clock: Sendable {
        /// Redis's own, so that servers whose clocks differ decide alike.
        case redis
        /// What each call says, for tests.
        case caller
    }

    private let client: RedisClient
    private let namespace: String
    private let clock: Clock
    private let idleLifetime: Timestamp
    /// Names what is counted over all nodes; nil counts nothing.
    let limits: RedisLimitNames?
    private(set) var counts = StoreCounts()

    /// How long a creator's answer can be requested again after it was given, and how stale a room's time of last use may
    /// get, in milliseconds; as in SQLite.
    static let repeatWindow = SQLiteRoomStore.repeatWindow
    static let useGranularity = SQLiteRoomStore.useGranularity

    /// - Parameters:
    ///   - namespace: what all keys begin with.
    ///   - idleLifetime: how long an unused room is kept, in milliseconds.
    ///   - limits: names what is counted over all nodes.
    init(
        _ client: RedisClient, namespace: String, idleLifetime: Timestamp, limits: RedisLimitNames? = nil,
        clock: Clock = .redis
    ) {
        self.limits = limits
        self.client = client
        self.namespace = namespace
        self.idleLifetime = idleLifetime
        self.clock = clock
    }

    // MARK: Codes

    func nonce(of code: String, now: Timestamp) throws -> [UInt8]? { try find(code, now)?.nonce }

    func create(_ request: Creation, now: Timestamp) throws -> Creation.Outcome {
        let answer = try run(
            RedisScripts.create, now,
            [
                bytes(request.code), bytes(request.creator.device), request.creator.ticket ?? [],
                bytes(request.expiresAt - now), bytes(request.limit), request.nonce,
            ])
        switch answer.word {
        case "created": return .created(expiresAt: try answer.number(1))
        case "inUse": return .codeInUse
        case "full": return .full
        default: throw answer.unexpected
        }
    }

    func accept(_ request: Acceptance, now: Timestamp) throws -> Acceptance.Outcome {
        let answer = try run(
            RedisScripts.accept, now,
            [
                bytes(request.code), bytes(request.guest.device), request.guest.ticket ?? [], bytes(request.room),
                bytes(request.grace), bytes(request.limit),
            ])
        switch answer.word {
        case "accepted": return .accepted(room: try answer.text(1))
        case "unknown": return .unknown
        case "conflict": return .conflict
        case "full": return .full
        default: throw answer.unexpected
        }
    }

    private struct Pending {
        let creator: Party
        /// Milliseconds.
        let remaining: Timestamp
        let room: String?
        let nonce: [UInt8]
    }

    private func find(_ code: String, _ now: Timestamp) throws -> Pending? {
        let answer = try run(RedisScripts.code, now, [bytes(code)])
        guard answer.word == "found" else { return nil }
        let room = try answer.text(4)
        return Pending(
            creator: try answer.party(1), remaining: try answer.number(3), room: room.isEmpty ? nil : room,
            nonce: try answer.bytes(5))
    }

    func watch(code: String, by creator: Proof, now: Timestamp) throws -> Check {
        guard let pending = try find(code, now), pending.creator.device == creator.device else { return .unknown }
        guard creator.fits(pending.creator) else { return .forbidden }
        if let room = pending.room { return .accepted(room: room) }
        return .pending(expiresAt: now + pending.remaining)
    }

    func acceptances(of codes: [String], now: Timestamp) throws -> [String: String] {
        let values = try run(RedisScripts.acceptances, now, codes.map(bytes)).values
        return zip(codes, values).reduce(into: [:]) { rooms, found in
            if let room = found.1.text, !room.isEmpty { rooms[found.0] = room }
        }
    }

    func check(code: String, by creator: Proof, now: Timestamp) throws -> Check {
        let result = try watch(code: code, by: creator, now: now)
        guard case .accepted(let room) = result else { return result }
        // A client without a ticket gets one answer, because a second request may come from another client.
        let window = creator.ticket == nil ? [] : bytes(Self.repeatWindow)
        let isSeen = try run(RedisScripts.seen, now, [bytes(code), bytes(room), window]).word == "seen"
        return isSeen ? result : .unknown
    }

    // MARK: Rooms

    func room(_ id: String) throws -> Room? { try findRoom(id, 0)?.room }

    private func findRoom(_ id: String, _ now: Timestamp) throws -> (room: Room, unused: Timestamp)? {
        let answer = try run(RedisScripts.room, now, [bytes(id)])
        guard answer.word == "found" else { return nil }
        let room = Room(id: id, creator: try answer.party(1), guest: try answer.party(3))
        return (room, try answer.number(5))
    }

    func admit(to id: String, _ proof: Proof, now: Timestamp) throws -> Admission {
        guard let (room, unused) = try findRoom(id, now) else { return .unknown }
        guard proof.device != nil, case .party(let side) = room.standing(of: proof) else { return .forbidden }
        if unused >= Self.useGranularity { try touch(rooms: [id], now: now) }
        return .admitted(side)
    }

    func touch(rooms: [String], now: Timestamp) throws { _ = try run(RedisScripts.touch, now, rooms.map(bytes)) }

    func delete(room id: String, _ proof: Proof) throws -> Deletion {
        guard let room = try room(id) else { return .deleted(Removed()) }
        guard room.standing(of: proof) != .none else { return .forbidden }
        return .deleted(try run(RedisScripts.delete, 0, [bytes(id)]).removed())
    }

    func purge(devices: [String], tickets: [[UInt8]]) throws -> Removed {
        let devices = Set(devices).map(bytes)
        return try run(RedisScripts.purge, 0, [bytes(devices.count)] + devices + tickets).removed()
    }

    func sweep(now: Timestamp, idleSince: Timestamp, limit: Int = 1000) throws -> Removed {
        try run(RedisScripts.sweep, now, [bytes(now - idleSince), bytes(limit)]).removed()
    }

    // MARK: Scripts

    func run(_ script: RedisScript, _ now: Timestamp, _ arguments: [[UInt8]]) throws -> RedisAnswer {
        let time = clock == .redis ? [] : bytes(now)
        let value = try client.run(script, keys: [namespace], [time, bytes(idleLifetime)] + arguments)
        guard let values = value.array, values.count >= 2, let codes = values[0].integer, let rooms = values[1].integer
        else { throw RedisError(.refused, "Redis gave an answer of another form") }
        counts = StoreCounts(pendingRooms: Int(codes), rooms: Int(rooms))
        return RedisAnswer(values: Array(values.dropFirst(2)))
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func bytes(_ number: some FixedWidthInteger) -> [UInt8] { Array(String(number).utf8) }
}

/// What a script returned, after the counts.
struct RedisAnswer {
    let values: [RedisValue]

    var word: String? { values.first?.text }
    var unexpected: RedisError { RedisError(.refused, "Redis gave an answer of another form") }

    func bytes(_ index: Int) throws -> [UInt8] {
        guard values.indices.contains(index), let bytes = values[index].bytes else { throw unexpected }
        return bytes
    }

    func text(_ index: Int) throws -> String { String(decoding: try bytes(index), as: UTF8.self) }

    func number(_ index: Int) throws -> Timestamp {
        guard let number = Timestamp(try text(index)) else { throw unexpected }
        return number
    }

    /// A device, and the ticket that follows it.
    func party(_ index: Int) throws -> Party {
        let ticket = try bytes(index + 1)
        return Party(device: try text(index), ticket: ticket.isEmpty ? nil : ticket)
    }

    func removed() throws -> Removed {
        func names(_ index: Int) throws -> [String] {
            guard values.indices.contains(index), let names = values[index].array else { throw unexpected }
            return names.compactMap(\.text)
        }
        return Removed(rooms: try names(0), codes: try names(1))
    }
}
