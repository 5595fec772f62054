import AppCore

/// The result of one dispatch, as `alcove_core_dispatch` returns it: the same bytes that ``JSON`` would write.
///
/// Put together by hand, because it is most of the work of a dispatch: effects are written once for the report and for the
/// queue, and nothing is written twice.
struct Report {
    private(set) var json: [UInt8] = []

    /// - Parameter effects: the JSON of each.
    init(_ outcome: Outcome, effects: [[UInt8]], saved: [Saved], seq: UInt64) {
        json.reserveCapacity(256 + saved.reduce(0) { $0 + 256 + ($1.json?.utf8.count ?? 0) })
        append(#"{"changes":"#)
        append(outcome.changes) { $0.append(quoted: $1.path) }
        append(#","effects":"#)
        append(effects) { $0.json += $1 }
        append(#","records":"#)
        append(saved) { report, record in
            report.append(#"{"json":"#)
            if let json = record.json { report.append(quoted: json) } else { report.append("null") }
            report.append(#","key":"#)
            report.append(quoted: record.key.path)
            report.append("}")
        }
        append(#","seq":"#)
        append(String(seq))
        append(#","unreadable":"#)
        append(outcome.unreadable) { $0.append(quoted: $1.path) }
        append("}")
    }

    /// A list of values that are JSON already.
    static func list(_ values: [[UInt8]]) -> [UInt8] {
        [UInt8(ascii: "[")] + values.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }

    private mutating func append(_ text: String) { json += text.utf8 }

    private mutating func append<Value>(_ values: [Value], _ write: (inout Report, Value) -> Void) {
        append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { append(",") }
            write(&self, value)
        }
        append("]")
    }

    /// Appends a path or a record. Neither holds control characters: a path cannot, and JSON escapes its own.
    private mutating func append(quoted text: String) {
        json.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { json.append(UInt8(ascii: "\\")) }
            json.append(byte)
        }
        json.append(UInt8(ascii: "\""))
    }
}
