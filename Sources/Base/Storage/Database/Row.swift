/// One row of a result, readable while the closure that received it runs.
///
/// Columns are numbered from 0, in the order of the `SELECT`. The type asked for decides what is allowed: a `NULL`
/// reads only as an optional, and nothing is converted silently.
///
/// ```swift
/// let rooms = try database.query("SELECT id, seen_at FROM rooms") { row in
///     Room(id: try row[0], seenAt: try row[1])
/// }
/// ```
public struct Row: ~Copyable {
    private let statement: Statement

    init(_ statement: Statement) { self.statement = statement }

    /// The number of columns.
    public var count: Int { statement.columnCount }

    /// The value of a column; throws ``DatabaseError`` with `mismatch` if it is not a `Value`.
    public subscript<Value: DatabaseValueConvertible>(column: Int) -> Value {
        get throws(DatabaseError) {
            guard column >= 0, column < statement.columnCount else {
                throw DatabaseError(code: .misuse, message: "there is no column \(column)", sql: statement.sql)
            }
            guard let value = Value(databaseValue: statement.value(at: column)) else {
                throw DatabaseError(
                    code: .mismatch,
                    message: "column \(column) does not hold a \(Value.self)",
                    sql: statement.sql
                )
            }
            return value
        }
    }
}
