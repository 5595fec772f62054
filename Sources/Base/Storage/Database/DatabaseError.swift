internal import CSQLite

/// Why SQLite, or a check around it, refused an operation.
///
/// The error names the statement that failed but never its arguments, so it may be logged. Match on ``code``:
///
/// ```swift
/// do { try database.execute("INSERT INTO rooms (id) VALUES (?)", id) }
/// catch let error as DatabaseError where error.code == .constraint { … }
/// ```
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
    /// A SQLite primary result code; those that callers distinguish have names.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// SQLite's number.
        public let rawValue: Int32
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The statement is wrong, or breaks a rule of ``Database``.
        public static let misuse = Code(rawValue: SQLITE_ERROR)
        /// Another connection held the lock longer than the busy timeout. Try again.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// The disk, or the configured size limit, is full. What was committed is safe; the transaction is rolled back.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The operating system refused to read or write: a failing disk, a quota, a limit of the process.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The file could not be opened or created.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// The file is a database but damaged. Restore a copy.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// The file is something else than a database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// A uniqueness, foreign-key, not-null or check rule of the schema refused the change.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// A column does not hold the type that was asked for.
        public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        /// The file may only be read.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// The file was written by a newer version of the program.
        public static let schemaTooNew = Code(rawValue: -1)
    }

    /// The primary result code.
    public let code: Code
    /// SQLite's extended result code, or the primary one where there is none.
    public let extendedCode: Int32
    /// What went wrong, in a sentence.
    public let message: String
    /// The statement, with `?` where its arguments were.
    public let sql: String?

    init(code: Code, message: String, sql: String? = nil) {
        self.init(extendedCode: code.rawValue, code: code, message: message, sql: sql)
    }

    init(resultCode: Int32, message: String, sql: String? = nil) {
        self.init(extendedCode: resultCode, code: Code(rawValue: resultCode & 0xff), message: message, sql: sql)
    }

    private init(extendedCode: Int32, code: Code, message: String, sql: String?) {
        self.code = code
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// Whether there was no room on the disk. Nothing of the transaction was kept.
    public var isFullDisk: Bool { code == .full }

    public var description: String {
        let statement = sql.map { " [\($0)]" } ?? ""
        return "database error \(extendedCode): \(message)\(statement)"
    }
}
