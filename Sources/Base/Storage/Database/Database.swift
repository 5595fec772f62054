internal import CSQLite

/// A connection to a SQLite database with one owner.
///
/// The connection does no locking of its own (`SQLITE_OPEN_NOMUTEX`) and is not `Sendable`: keep it in an actor, a
/// `Mutex` or on one thread. Files are opened in write-ahead-log mode, with foreign keys enforced.
///
/// ```swift
/// let database = try Database(path: "/var/lib/alcove/rooms.db")
/// try database.migrate([ "CREATE TABLE rooms (id TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT" ])
/// try database.transaction {
///     try database.execute("INSERT INTO rooms VALUES (?, ?)", id, now)
/// }
/// let seen: Int64? = try database.first("SELECT seen_at FROM rooms WHERE id = ?", id) { try $0[0] }
/// ```
public final class Database {
    private let connection: OpaquePointer
    private let cacheSize: Int
    private var cache: [String: Statement] = [:]
    var transactionDepth = 0
    private var durability: DatabaseConfiguration.Durability?

    /// Opens the file at `path`, creating it (not its folder) if it is missing.
    public convenience init(
        path: String,
        configuration: DatabaseConfiguration = DatabaseConfiguration()
    ) throws(DatabaseError) {
        try self.init(filename: path, configuration: configuration)
        try prepareFile(path: path, configuration)
    }

    /// Opens an empty database in memory that vanishes with this object.
    public static func inMemory(
        configuration: DatabaseConfiguration = DatabaseConfiguration()
    ) throws(DatabaseError) -> Database {
        let database = try Database(filename: ":memory:", configuration: configuration)
        try database.prepareConnection(configuration)
        return database
    }

    /// Opens an empty database that spills into a file without a name when it becomes large, and vanishes with this object.
    public static func temporary(
        configuration: DatabaseConfiguration = DatabaseConfiguration()
    ) throws(DatabaseError) -> Database {
        let database = try Database(filename: "", configuration: configuration)
        try database.prepareConnection(configuration)
        return database
    }

    private init(filename: String, configuration: DatabaseConfiguration) throws(DatabaseError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var handle: OpaquePointer?
        let status = sqlite3_open_v2(filename, &handle, flags, nil)
        guard status == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            let reason = String(cString: sqlite3_errstr(status))
            throw DatabaseError(resultCode: status, message: "cannot open the database at \(filename): \(reason)")
        }
        connection = handle
        cacheSize = configuration.statementCacheSize
    }

    deinit {
        cache.removeAll()
        sqlite3_close_v2(connection)
    }

    private func prepareFile(path: String, _ configuration: DatabaseConfiguration) throws(DatabaseError) {
        do {
            try prepareConnection(configuration)
            // This must come before the first access, which creates the index.
            if configuration.isExclusive { try executeScript("PRAGMA locking_mode = EXCLUSIVE") }
            try executeScript("PRAGMA journal_mode = WAL")
            if configuration.keepsLog { try keepLog() }
            try setDurability(configuration.durability)
        } catch  where error.code == .notADatabase || error.code == .corrupt {
            throw DatabaseError(
                resultCode: error.extendedCode,
                message: "\(path) is damaged or not a database; restore a copy, or move it away to begin anew"
            )
        }
    }

    private func keepLog() throws(DatabaseError) {
        var keeps: Int32 = 1
        let status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &keeps)
        guard status == SQLITE_OK else { throw DatabaseError(resultCode: status, message: "cannot keep the log") }
    }

    /// Changes what commits survive, from the next one on. A commit that waits for the disk also saves those before it.
    public func setDurability(_ durability: DatabaseConfiguration.Durability) throws(DatabaseError) {
        guard durability != self.durability else { return }
        try executeScript("PRAGMA synchronous = \(durability == .everyCommit ? "FULL" : "NORMAL")")
        self.durability = durability
    }

    private func prepareConnection(_ configuration: DatabaseConfiguration) throws(DatabaseError) {
        let timeout = configuration.busyTimeout.components
        let milliseconds = timeout.seconds * 1000 + timeout.attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(connection, Int32(clamping: milliseconds))
        try executeScript("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        if let pages = configuration.maximumPageCount {
            try executeScript("PRAGMA max_page_count = \(pages)")
        }
    }

    /// Runs one statement; its result rows, if any, are thrown away. Returns the number of rows it changed.
    @discardableResult
    public func execute(_ sql: String, _ arguments: any DatabaseValueConvertible...) throws -> Int {
        try execute(sql, arguments: arguments)
    }

    /// Runs one statement whose number of arguments is only known now; see ``execute(_:_:)``.
    @discardableResult
    public func execute(_ sql: String, arguments: [any DatabaseValueConvertible]) throws -> Int {
        let before = sqlite3_total_changes64(connection)
        try use(sql, arguments) { statement in
            while try statement.step() {}
        }
        return Int(clamping: sqlite3_total_changes64(connection) - before)
    }

    /// Runs one statement and returns what `read` makes of each row, in order.
    public func query<Element>(
        _ sql: String,
        _ arguments: any DatabaseValueConvertible...,
        read: (borrowing Row) throws -> Element
    ) throws -> [Element] {
        try query(sql, arguments: arguments, read: read)
    }

    /// Runs one statement whose number of arguments is only known now; see ``query(_:_:read:)``.
    public func query<Element>(
        _ sql: String,
        arguments: [any DatabaseValueConvertible],
        read: (borrowing Row) throws -> Element
    ) throws -> [Element] {
        try use(sql, arguments) { statement in
            var elements: [Element] = []
            let row = Row(statement)
            while try statement.step() { elements.append(try read(row)) }
            return elements
        }
    }

    /// Runs one statement and returns what `read` makes of its first row; nil if there is none.
    ///
    /// The statement runs no further than that row, so use it for `SELECT` and for `… RETURNING` of a single row.
    public func first<Element>(
        _ sql: String,
        _ arguments: any DatabaseValueConvertible...,
        read: (borrowing Row) throws -> Element
    ) throws -> Element? {
        try use(sql, arguments) { statement in
            guard try statement.step() else { return nil }
            return try read(Row(statement))
        }
    }

    /// Runs several statements without arguments, separated by semicolons: schema and settings.
    public func executeScript(_ sql: String) throws(DatabaseError) {
        let status = sqlite3_exec(connection, sql, nil, nil, nil)
        guard status == SQLITE_OK else {
            throw DatabaseError(resultCode: status, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
        }
    }

    /// True outside of every transaction. SQLite ends a transaction by itself on some failures, such as a full disk.
    var isAutocommitting: Bool { sqlite3_get_autocommit(connection) != 0 }

    /// Takes the statement out of the cache while it is in use, so that a nested use of the same text gets its own.
    private func use<Result>(
        _ sql: String,
        _ arguments: [any DatabaseValueConvertible],
        _ body: (Statement) throws -> Result
    ) throws -> Result {
        let statement = try cache.removeValue(forKey: sql) ?? Statement(sql, connection: connection)
        defer {
            statement.reset()
            if cache.count >= cacheSize { cache.removeAll() }
            if cacheSize > 0 { cache[sql] = statement }
        }
        try statement.bind(arguments.map(\.databaseValue))
        return try body(statement)
    }
}
