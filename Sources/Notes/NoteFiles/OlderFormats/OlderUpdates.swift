internal import Wire

/// An update of the older generation, from a file of its own or out of a pack.
struct OlderUpdate: Equatable {
    /// Milliseconds since 1970; 0 if it is not known.
    let timestamp: Int64
    /// Begins at 0.
    let sequence: UInt64
    let payload: [UInt8]

    /// What the name of a file in `updates` says: `{instance}_{document}_{ms}-{sequence}.yjson`, the oldest without
    /// `-{sequence}`.
    static func particulars(_ name: String) -> (timestamp: Int64, sequence: UInt64) {
        let base = name.prefix { $0 != "." }
        let last = base.split(separator: "_", omittingEmptySubsequences: false).last ?? base
        let parts = last.split(separator: "-", maxSplits: 1)
        return (parts.first.flatMap { Int64($0) } ?? 0, parts.count > 1 ? UInt64(parts[1]) ?? 0 : 0)
    }

    /// The updates of a pack. One that says nothing of itself is refused whole.
    static func pack(_ json: JSONObject) throws(WireError) -> [OlderUpdate] {
        guard json["version"] == 1, case .array(let elements) = json["updates"] else {
            throw WireError(.malformed, "it is no pack of version 1")
        }
        var updates: [OlderUpdate] = []
        for element in elements {
            guard let object = element.object, case .number(let sequence) = object["seq"],
                let number = UInt64(sequence)
            else { throw WireError(.malformed, "an update in the pack has no sequence number") }
            let timestamp: Int64 = if case .number(let text) = object["timestamp"] { Int64(text) ?? 0 } else { 0 }
            updates.append(
                OlderUpdate(timestamp: timestamp, sequence: number, payload: try bytes(object["data"])))
        }
        return updates
    }

    /// The state in a snapshot.
    static func snapshotState(_ json: JSONObject) throws(WireError) -> [UInt8] {
        guard json["version"] == 1 else { throw WireError(.malformed, "it is no snapshot of version 1") }
        return try bytes(json["documentState"])
    }

    private static func bytes(_ value: JSONValue?) throws(WireError) -> [UInt8] {
        guard case .array(let elements) = value else {
            throw WireError(.malformed, "the bytes of an update are missing")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(elements.count)
        for element in elements {
            guard case .number(let text) = element, let byte = UInt8(text) else {
                throw WireError(.malformed, "a byte of an update is none")
            }
            bytes.append(byte)
        }
        return bytes
    }
}
