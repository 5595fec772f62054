import Storage

/// A column of the profile's database whose values the vault seals. Every such column is in ``all``, or its values are lost when
/// the vault drops an old key.
struct SealedColumn: Sendable {
    let table: String
    /// The primary key.
    let keys: [String]
    let value: String
    /// The context of a value, as an expression of SQL.
    let context: String
    /// Which rows are sealed, as an expression of SQL.
    var condition = "1"

    static let all = [
        SealedColumn(
            table: "records", keys: ["path"], value: "value", context: "'record/' || path",
            condition: "path NOT IN ('settings', 'counters', 'erasing')"),
        SealedColumn(table: "secrets", keys: ["ref"], value: "value", context: "'secret/' || ref"),
        SealedColumn(table: "room_keys", keys: ["room"], value: "value", context: "'room_keys/' || room"),
        SealedColumn(
            table: "files", keys: ["room", "message"], value: "value", context: "'files/' || room || '/' || message"),
        SealedColumn(
            table: "messages", keys: ["room", "ord", "id"], value: "value",
            context: "'record/message/' || room || '/' || id"),
        SealedColumn(
            table: "flight", keys: ["leg", "place"], value: "value", context: "'flight/' || leg || '/' || place"),
        SealedColumn(
            table: "shared_events", keys: ["room", "session", "sequence"], value: "value",
            context: "'shared/' || room || '/' || session || '/' || sequence"),
        SealedColumn(table: "agent_pictures", keys: ["id"], value: "value", context: "'picture/' || id"),
        SealedColumn(
            table: "sealing_bonds", keys: ["bond"], value: "secret", context: "'sealing/identity/' || bond"),
        SealedColumn(
            table: "sealing_pools", keys: ["bond", "epoch"], value: "secrets",
            context: "'sealing/pool/' || bond || '/' || epoch"),
    ]

    /// The generation of the vault's key that is, or will be, the only one among the values.
    static let schema = "CREATE TABLE vault (generation INTEGER NOT NULL) STRICT"

    /// Reads rows in the order of their keys, behind one if it is given: the keys, the value and its context.
    func select(after isContinued: Bool, atMost count: Int) -> String {
        let names = keys.joined(separator: ", ")
        let marks = keys.map { _ in "?" }.joined(separator: ", ")
        let position = isContinued ? " AND (\(names)) > (\(marks))" : ""
        return """
            SELECT \(value), \(context), \(names) FROM \(table) WHERE \(condition)\(position)
            ORDER BY \(names) LIMIT \(count)
            """
    }

    /// Replaces the value of a row.
    var update: String {
        "UPDATE \(table) SET \(value) = ? WHERE " + keys.map { "\($0) = ?" }.joined(separator: " AND ")
    }
}
