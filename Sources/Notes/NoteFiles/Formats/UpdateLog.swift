package import Wire

/// The format of `.crdtlog` files: a header of five bytes, then records, then perhaps the end marker.
///
/// A record is its length, a timestamp of eight bytes, a sequence number and a Yjs update (V1). Length and sequence are
/// LEB128 of at most 2^53-1. There are no checksums: a record is whole if the file is long enough.
package enum UpdateLog {
    static let header: [UInt8] = Array("NCLG".utf8) + [1]
    /// A record of length 0: the file is closed for ever, and whatever follows means nothing.
    static let endMarker: UInt8 = 0
    /// The most bytes of a record after its length. A longer one is taken for damage.
    static let recordLimit = 64 << 20
    /// The most bytes of a file that is read.
    static let fileLimit: Int64 = 1 << 30
    /// The most bytes of a file that is written, unless a single record is longer.
    static let rotationSize: Int64 = 10 << 20
    /// Numbers have to be exact in JavaScript.
    static let numberLimit: UInt64 = 1 << 53 - 1
    /// Length, timestamp and sequence take at least this.
    private static let shortestRecord = 1 + 8 + 1
    /// Bytes that ``recordLimit`` takes.
    private static let lengthOfLength = 4
    /// Length, timestamp and sequence take at most this.
    static let overhead = 9 + 8 + 9

    package enum Step {
        /// `byteCount` includes the length in front.
        case record(timestamp: Int64, sequence: UInt64, payload: ArraySlice<UInt8>, byteCount: Int)
        case end
    }

    package static func encode(timestamp: Int64, sequence: UInt64, payload: [UInt8]) -> [UInt8] {
        var inner = ByteWriter(reserving: overhead)
        inner.writeInteger(UInt64(clamping: timestamp))
        inner.writeVarint(sequence)
        var writer = ByteWriter(reserving: payload.count + overhead)
        writer.writeVarint(UInt64(inner.bytes.count + payload.count))
        writer.writeBytes(inner.bytes)
        writer.writeBytes(payload)
        return writer.bytes
    }

    /// The step at the front of the bytes; nil if they end before it does. Throws if no more bytes can make it whole.
    package static func next(in bytes: ArraySlice<UInt8>) throws(WireError) -> Step? {
        var reader = ByteReader(bytes)
        guard let length = try varint(&reader) else { return nil }
        if length == 0 { return .end }
        guard length <= recordLimit else {
            throw WireError(.limitExceeded, "a record is longer than \(recordLimit >> 20) MiB")
        }
        guard length > 8 else { throw WireError(.malformed, "a record is too short for its timestamp") }
        guard reader.remaining >= Int(length) else { return nil }
        let start = reader.offset
        var record = ByteReader(try reader.readSlice(Int(length)))
        let timestamp = try record.readInteger(UInt64.self)
        guard let sequence = try varint(&record) else {
            throw WireError(.malformed, "a record ends within its sequence number")
        }
        return .record(
            timestamp: Int64(clamping: timestamp), sequence: sequence, payload: record.readRemaining(),
            byteCount: start + Int(length))
    }

    /// The number of the last record that lies whole behind a break, where the lengths lead nowhere any more; nil if there
    /// seems to be none.
    ///
    /// It only has to find every one. Among other bytes one place in four million looks like a record of a time before 2109.
    static func lastSequence(behind bytes: [UInt8]) -> UInt64? {
        var last: UInt64?
        // Not in the length of the broken record: its last byte may be taken for a shorter length of the same record.
        let first = shortestRecord
        var time = first + 1
        while time + 8 < bytes.count {
            defer { time += 1 }
            // The 22 bits that are zero. Looking for them first makes this quick.
            guard bytes[time] == 0, bytes[time + 1] == 0, bytes[time + 2] < 4 else { continue }
            for start in max(first, time - lengthOfLength)..<time {
                let step = try? next(in: bytes[start...])
                if case .record(let timestamp, let sequence, _, _)? = step, timestamp < 1 << 42, sequence > 0 {
                    last = max(last ?? 0, sequence)
                }
            }
        }
        return last
    }

    /// nil if the bytes end within it.
    private static func varint(_ reader: inout ByteReader) throws(WireError) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 56, by: 7) {
            if reader.isAtEnd { return nil }
            let byte = try reader.readByte()
            value |= UInt64(byte & 0x7f) << shift
            guard byte < 0x80 else { continue }
            guard value <= numberLimit else { break }
            return value
        }
        throw WireError(.malformed, "a number is larger than 2^53-1")
    }
}
