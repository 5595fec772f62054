internal import Redis

/// Rooms in a Redis that several servers share.
///
/// Each decision is one script, which Redis runs as one step, with the limits that the call counts as
/// (``RedisScripts/limited(_:from:wrong:_:)``). Decisions that wait together are sent together.
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

    // MARK: Rooms

    func room(_ id: String) throws -> Room? { try findRoom(id, 0)?.room }

    private func findRoom(_ id: String, _ now: Timestamp) throws -> (room: Room, unused: Timestamp)? {
        let answer = try run(RedisScripts.room, now, [Array(id)])
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

    func touch(rooms: [String], now: Timestamp) throws { _ = try run(RedisScripts.touch, now, rooms.map { Array($0) }) }

    func delete(room id: String, _ proof: Proof) throws -> Deletion {
        guard let room = try room(id) else { return .deleted(Removed()) }
        guard room.standing(of: proof) != .none else { return .forbidden }
        return .deleted(try run(RedisScripts.delete, 0, [Array(id)]).removed())
    }

    func purge(devices: [String], tickets: [[UInt8]]) throws -> Removed {
        let devices = Set(devices).map { Array($0) as [UInt8] }
        let arguments = [Array(decimal: devices.count), Array(decimal: Self.purgedAtOnce)] + devices + tickets
        var all = Removed()
        while true {
            let some = try run(RedisScripts.purge, 0, arguments).removed()
            all.rooms += some.rooms
            all.codes += some.codes
            if some.rooms.count + some.codes.count < Self.purgedAtOnce { return all }
        }
    }

    /// Rooms and codes that are removed before others are served again.
    private static let purgedAtOnce = 2000

    func sweep(now: Timestamp, idleSince: Timestamp, limit: Int = 1000) throws -> Removed {
        try run(RedisScripts.sweep, now, [Array(decimal: now - idleSince), Array(decimal: limit)]).removed()
    }

    // MARK: Scripts

    func run(_ script: RedisScript, _ now: Timestamp, _ arguments: [[UInt8]]) throws -> RedisAnswer {
        try ask(RedisQuestion(script: script, arguments: arguments) { $0 }, now)
    }

    func ask<Answer>(_ question: RedisQuestion<Answer>, _ now: Timestamp) throws -> Answer {
        guard let answer = try ask([(question, now)]).first else { throw RedisError(.lost, "Redis gave no answer") }
        return try answer.get()
    }

    /// Sends them together. Throws if Redis is not there; a refusal of one is its result.
    func ask<Answer>(_ questions: [(RedisQuestion<Answer>, Timestamp)]) throws -> [Result<Answer, any Error>] {
        let runs = questions.map { question, now in
            let time = clock == .redis ? [] : Array(decimal: now)
            return (question.script, [time, Array(decimal: idleLifetime)] + question.arguments)
        }
        return zip(questions, try client.run(runs, keys: [namespace])).map { question, value in
            Result { try question.0.read(try answer(value)) }
        }
    }

    private func answer(_ value: RedisValue) throws -> RedisAnswer {
        if case .failure(let error) = value { throw error }
        guard let values = value.array, values.count >= 2, let codes = values[0].integer, let rooms = values[1].integer
        else { throw RedisError(.refused, "Redis gave an answer of another form") }
        counts = StoreCounts(pendingRooms: Int(codes), rooms: Int(rooms))
        return RedisAnswer(values: Array(values.dropFirst(2)))
    }
}
