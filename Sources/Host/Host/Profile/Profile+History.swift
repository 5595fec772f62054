import AppCore
import Storage

/// The messages of all rooms, in their order, so that a start reads the newest alone and older ones come in pages.
///
/// What a message says is sealed like a record. Beside it stands in the clear what a page is found by: the order, which counts up
/// within the room, when the message goes, whether something waits for it, and which message it answers.
extension Profile {
    /// How many of the newest messages of a room a start takes into memory, and how many come at once after that.
    static let recentMessages = 200

    /// How many of the newest messages of all rooms together a start takes into memory.
    static let recentMessagesOfAll = 5000
    /// As many of each room it takes in any case.
    static let leastRecentMessages = 20

    static let historySchema = """
        CREATE TABLE messages (room TEXT, ord INTEGER, id TEXT, expires INTEGER, held INTEGER NOT NULL, answers TEXT,
            value BLOB NOT NULL, PRIMARY KEY (room, ord, id)) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX messages_by_id ON messages (room, id);
        CREATE INDEX messages_by_expiry ON messages (room, expires) WHERE expires IS NOT NULL;
        CREATE INDEX messages_held ON messages (room, ord) WHERE held = 1;
        CREATE INDEX messages_by_answer ON messages (room, answers) WHERE answers IS NOT NULL;
        """

    /// A message as it is on its way to the table; its value is sealed.
    struct StoredMessage: Sendable {
        let room: RoomID
        let id: AppCore.MessageID
        let columns: [DatabaseValue]
        let sealed: [UInt8]

        /// - Parameter json: the message as the core saves it; `nil` is returned if it is not one.
        init?(_ room: RoomID, _ id: AppCore.MessageID, json: some Sequence<UInt8>, sealed: [UInt8]) {
            guard let message = try? JSON.decode(Message.self, from: json), let order = Int64(exactly: message.order)
            else { return nil }
            (self.room, self.id, self.sealed) = (room, id, sealed)
            columns = [
                .integer(order), (message.expiresAt?.milliseconds).databaseValue, message.isHeld.databaseValue,
                (message.quote?.message.text).databaseValue,
            ]
        }

        func insert(into database: Database) throws {
            try database.execute(
                "INSERT OR REPLACE INTO messages (room, id, ord, expires, held, answers, value) VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [.text(room.text), .text(id.text)] + columns + [.blob(sealed)])
        }
    }

    // MARK: - Reading

    /// These records, and the messages that belong into memory when a process starts.
    ///
    /// Where there are many rooms, fewer messages of each are taken, so that a start does not become slower with every room.
    func withRecentMessages(_ records: [Record]) throws -> [Record] {
        var records = records
        let rooms = rooms(in: records)
        let share = max(Self.leastRecentMessages, Self.recentMessagesOfAll / max(rooms.count, 1))
        var firsts: [RoomID: UInt64] = [:]
        for index in records.indices {
            guard case .log(let room) = records[index].key,
                var summary = try? JSON.decode(LogSummary.self, from: records[index].json.utf8)
            else { continue }
            if share < Self.recentMessages, let order = try order(ofNewest: share, in: room), order > summary.from {
                summary.from = order
                records[index].json = String(decoding: try JSON.encode(summary), as: UTF8.self)
            }
            firsts[room] = summary.from
        }
        return try records + rooms.flatMap { try recentMessages(in: $0, from: firsts[$0] ?? 0) }
    }

    func rooms(in records: [Record]) -> [RoomID] {
        records.compactMap { if case .room(let room) = $0.key { room } else { nil } }
    }

    /// The order of the message before which so many of the newest begin; `nil` if there are not as many.
    private func order(ofNewest count: Int, in room: RoomID) throws -> UInt64? {
        try read { database in
            try database.first(
                "SELECT ord FROM messages WHERE room = ? ORDER BY ord DESC LIMIT 1 OFFSET ?", room.text,
                Int64(count - 1)
            ) { try $0[0] as Int64 }
        }.map(UInt64.init(clamping:))
    }

    /// The messages of a room that belong into memory when a process starts: those from an order on, and those before for which
    /// something waits.
    func recentMessages(in room: RoomID, from first: UInt64) throws -> [Record] {
        try messages(
            in: room, "ord >= ?", [.integer(Int64(clamping: first))],
            or: "SELECT id, value FROM messages INDEXED BY messages_held WHERE room = ? AND held = 1 AND ord < ?")
    }

    /// At most `limit` messages with an order between these two, in their order: the oldest of them, or the newest.
    func messages(in room: RoomID, after: UInt64, before: UInt64, limit: Int, isForward: Bool) throws -> [Record] {
        let rows = try rows(
            "SELECT id, value FROM messages WHERE room = ? AND ord > ? AND ord < ? ORDER BY ord \(isForward ? "" : "DESC") LIMIT ?",
            [
                .text(room.text), .integer(Int64(clamping: after)), .integer(Int64(clamping: before)),
                .integer(Int64(limit)),
            ])
        return opened(isForward ? rows : rows.reversed(), in: room)
    }

    /// At most `limit` messages around one, in their order, and how many stand before them; nothing if it is not there.
    func messages(in room: RoomID, around message: AppCore.MessageID, limit: Int) throws -> ([Record], earlier: Int) {
        let found: Int64? = try read { database in
            try database.first("SELECT ord FROM messages WHERE room = ? AND id = ?", room.text, message.text) {
                try $0[0] as Int64
            }
        }
        return try found.map { try messages(in: room, around: UInt64(clamping: $0), limit: limit) } ?? ([], 0)
    }

    /// At most `limit` messages around an order, and how many stand before them.
    func messages(in room: RoomID, around place: UInt64, limit: Int) throws -> ([Record], earlier: Int) {
        let older = try messages(in: room, after: 0, before: place, limit: limit / 2, isForward: false)
        let newer = try messages(
            in: room, after: max(place, 1) - 1, before: .max, limit: limit - older.count, isForward: true)
        let before = try read { database in
            try database.first(
                "SELECT count(*) FROM messages INDEXED BY messages_by_id WHERE room = ? AND ord < ?", room.text,
                Int64(clamping: place)
            ) { try $0[0] as Int }
        }
        return (older + newer, earlier: (before ?? 0) - older.count)
    }

    /// Saved messages of a room before an order, the newest first, and the order before which to go on; 0 at the end. Those that do not
    /// open are left out.
    func sealedMessages(in room: RoomID, before: UInt64) throws -> (messages: [[UInt8]], next: UInt64) {
        let rows = try read { database in
            try database.query(
                "SELECT ord, id, value FROM messages WHERE room = ? AND ord < ? ORDER BY ord DESC LIMIT 500", room.text,
                Int64(clamping: before)
            ) { (order: try $0[0] as Int64, id: try $0[1] as String, value: try $0[2] as [UInt8]) }
        }
        let opened = rows.compactMap { try? vault.open($0.value, context: "record/message/\(room)/\($0.id)") }
        return (opened, rows.count < 500 ? 0 : rows.last.map { UInt64(clamping: $0.order) } ?? 0)
    }

    /// How many of the messages between two orders came from the other person; nothing but that is read of each.
    /// - Parameter changed: messages that are to be returned as they are, because they change now.
    func received(
        in room: RoomID, after: UInt64, before: UInt64, except changed: Set<AppCore.MessageID>
    ) throws -> (count: Int, changed: [Record]) {
        var (count, found, last) = (0, [Record](), after)
        while true {
            let rows = try read { [last] database in
                try database.query(
                    "SELECT ord, id, value FROM messages WHERE room = ? AND ord > ? AND ord < ? ORDER BY ord LIMIT 500",
                    room.text, Int64(clamping: last), Int64(clamping: before)
                ) { (order: try $0[0] as Int64, id: try $0[1] as String, value: try $0[2] as [UInt8]) }
            }
            for row in rows {
                let id = AppCore.MessageID(row.id)
                if changed.contains(id) {
                    found += opened([(row.id, row.value)], in: room)
                } else if let bytes = try? vault.open(row.value, context: "record/message/\(room)/\(row.id)"),
                    Self.isReceived(bytes)
                {
                    count += 1
                }
            }
            guard rows.count == 500, let next = rows.last?.order else { return (count, found) }
            last = UInt64(clamping: next)
        }
    }

    /// Whether a saved message came from the other person. To look for the bytes takes a hundredth of the time of a whole message, and what
    /// somebody wrote cannot stand for them: in a text each quotation mark follows a backslash.
    static func isReceived(_ json: [UInt8]) -> Bool {
        let (first, rest) = (UInt8(ascii: "\""), Self.received.count)
        guard json.count >= rest else { return false }
        return (0...json.count - rest).contains { place in
            json[place] == first && json[place..<place + rest].elementsEqual(Self.received)
        }
    }

    private static let received = Array("\"direction\":\"received\"".utf8)

    /// Messages by their ids, those that answer one, and those that nobody has seen.
    func messages(_ named: NamedMessages) throws -> [Record] {
        var found: [(id: String, value: [UInt8])] = []
        for id in named.messages {
            found += try rows(
                "SELECT id, value FROM messages WHERE room = ? AND id = ?", [.text(named.room.text), .text(id.text)])
        }
        if let answered = named.answered {
            found += try rows(
                "SELECT id, value FROM messages WHERE room = ? AND answers = ? LIMIT \(Self.answersLimit)",
                [.text(named.room.text), .text(answered.text)])
        }
        let unseen = try named.unseenAfter.map {
            try messages(in: named.room, after: $0, before: .max, limit: RoomLimits.messages, isForward: false)
        }
        return opened(found, in: named.room) + (unseen ?? [])
    }

    /// Answers to one message that change with it.
    private static let answersLimit = 10_000

    private func messages(
        in room: RoomID, _ condition: String, _ arguments: [DatabaseValue], or other: String
    ) throws -> [Record] {
        let key: [DatabaseValue] = [.text(room.text)] + arguments
        let held = try rows(other + " ORDER BY ord", key)
        let others = try rows("SELECT id, value FROM messages WHERE room = ? AND \(condition) ORDER BY ord", key)
        return opened(held + others, in: room)
    }

    private func rows(_ sql: String, _ arguments: [DatabaseValue]) throws -> [(id: String, value: [UInt8])] {
        try read { database in
            try database.query(sql, arguments: arguments) { (id: try $0[0] as String, value: try $0[1] as [UInt8]) }
        }
    }

    /// One that does not open goes in as it is, so that the core reports it instead of missing it.
    private func opened(_ rows: [(id: String, value: [UInt8])], in room: RoomID) -> [Record] {
        rows.compactMap { row in
            guard let key = RecordKey(path: "message/\(room)/\(row.id)") else { return nil }
            let bytes = try? vault.open(row.value, context: "record/" + key.path)
            return Record(key: key, json: String(decoding: bytes ?? [], as: UTF8.self))
        }
    }

    // MARK: - Going

    /// What went, as the core wants to hear it.
    struct ForgottenMessages {
        var orders: [UInt64] = []
        var received: [UInt64] = []
        var bytes = 0
        var nextExpiry: Timestamp?
    }

    /// Lets messages of a room go for which nothing waits: those whose time has come, or the oldest, of so many bytes.
    /// - Parameter kept: messages that change now.
    func forgetMessages(
        in room: RoomID, expiredBy time: Timestamp?, bytes: Int?, except kept: Set<AppCore.MessageID>
    ) throws -> ForgottenMessages {
        let condition = time == nil ? "" : " AND expires <= ?"
        let rows = try rows(
            """
            SELECT id, value FROM messages WHERE room = ? AND held = 0\(condition)
            ORDER BY \(time == nil ? "ord" : "expires") LIMIT \(RoomLimits.forgottenAtOnce)
            """, [.text(room.text)] + (time.map { [.integer($0.milliseconds)] } ?? []))
        var gone = ForgottenMessages()
        var ids: [String] = []
        for (row, record) in zip(rows, opened(rows, in: room)) {
            guard time != nil || gone.bytes < bytes ?? 0 else { break }
            guard let message = record.message, !kept.contains(message.id) else { continue }
            ids.append(row.id)
            gone.orders.append(message.order)
            if message.direction == .received { gone.received.append(message.order) }
            gone.bytes += message.savedBytes
        }
        try write { [ids] database in
            for id in ids { try database.execute("DELETE FROM messages WHERE room = ? AND id = ?", room.text, id) }
        }
        gone.nextExpiry = try read { database in
            try database.first(
                "SELECT expires FROM messages WHERE room = ? AND expires IS NOT NULL ORDER BY expires LIMIT 1",
                room.text
            ) { try $0[0] as Int64 }
        }.map(Timestamp.init(milliseconds:))
        return gone
    }

    /// The next start that needs counts makes them anew, from all messages.
    func forgetCounts() throws { try write { try $0.execute("DELETE FROM records WHERE path LIKE 'log/%'") } }

    // MARK: - Older profiles

    /// Moves messages to their table that version 0.2 kept among the records. It may be interrupted at any moment, and goes on at the
    /// next start. What does not open stays where it is.
    /// - Parameter tell: hears after each transaction how many have been looked at, and how many there are.
    func moveMessages(tell: ((Int, Int) -> Void)? = nil) throws {
        let all = try read { database in
            try database.first("SELECT count(*) FROM records WHERE path > 'message/' AND path < 'message0'") {
                try $0[0] as Int
            }
        }
        var done = 0
        var last = "message/"
        while true {
            let rows = try read { [last] database in
                try database.query(
                    "SELECT path, value FROM records WHERE path > ? AND path < 'message0' ORDER BY path LIMIT 500", last
                ) { (path: try $0[0] as String, value: try $0[1] as [UInt8]) }
            }
            guard let end = rows.last?.path else { return }
            last = end
            let moved = rows.compactMap { row -> (String, StoredMessage)? in
                guard case .message(let room, let id) = RecordKey(path: row.path),
                    let json = try? vault.open(row.value, context: "record/" + row.path),
                    let message = StoredMessage(room, id, json: json, sealed: row.value)
                else { return nil }
                return (row.path, message)
            }
            try write { database in
                for (path, message) in moved {
                    try message.insert(into: database)
                    try database.execute("DELETE FROM records WHERE path = ?", path)
                }
            }
            done += rows.count
            tell?(done, all ?? done)
        }
    }
}
