internal import CSQLite

/// A prepared statement. It belongs to one ``Database``, which checks it out for one use at a time.
final class Statement {
    let sql: String
    private let handle: OpaquePointer

    init(_ sql: String, connection: OpaquePointer) throws(DatabaseError) {
        var handle: OpaquePointer?
        var rest: UnsafePointer<CChar>?
        var trailing = false
        let status = sql.withCString { text in
            let status = sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, &rest)
            trailing = rest.map { !String(cString: $0).allSatisfy(\.isWhitespace) } ?? false
            return status
        }
        guard status == SQLITE_OK else {
            throw DatabaseError(resultCode: status, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
        }
        guard let handle else {
            throw DatabaseError(code: .misuse, message: "the statement is empty", sql: sql)
        }
        self.sql = sql
        self.handle = handle
        if trailing {
            throw DatabaseError(
                code: .misuse,
                message: "only the first of several statements would run; use executeScript",
                sql: sql
            )
        }
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ arguments: [DatabaseValue]) throws(DatabaseError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard arguments.count == expected else {
            throw DatabaseError(
                code: .misuse,
                message: "the statement takes \(expected) arguments, not \(arguments.count)",
                sql: sql
            )
        }
        for (index, argument) in arguments.enumerated() {
            let status = bind(argument, at: Int32(index + 1))
            guard status == SQLITE_OK else { throw error(status) }
        }
    }

    private func bind(_ value: DatabaseValue, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return sqlite3_bind_int64(handle, index, integer)
        case .real(let real):
            return sqlite3_bind_double(handle, index, real)
        case .text(var text):
            return text.withUTF8 { utf8 in
                // A null pointer would bind NULL, and an empty string may have a null pointer.
                guard let base = utf8.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, transient) }
                return base.withMemoryRebound(to: CChar.self, capacity: utf8.count) {
                    sqlite3_bind_text64(handle, index, $0, UInt64(utf8.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), transient)
        }
    }

    /// Moves to the next row; false at the end.
    func step() throws(DatabaseError) -> Bool {
        let status = sqlite3_step(handle)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw error(status)
        }
    }

    /// Makes the statement ready for its next use and forgets the arguments of the last one.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    var columnCount: Int { Int(sqlite3_column_count(handle)) }

    func value(at column: Int) -> DatabaseValue {
        let column = Int32(column)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(handle, column) else { return .text("") }
            let length = Int(sqlite3_column_bytes(handle, column))
            return .text(String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self))
        case SQLITE_BLOB:
            guard let bytes = sqlite3_column_blob(handle, column) else { return .blob([]) }
            return .blob(
                [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
            )
        default: return .null
        }
    }

    private var transient: sqlite3_destructor_type { alcove_sqlite_transient() }

    private func error(_ status: Int32) -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        return DatabaseError(resultCode: status, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}
