import NoteFiles

/// Reads any bytes as the records of a log. What was read is what would be written, if the numbers are spelt as we spell them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNoteLog(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
    while case .record(let timestamp, let sequence, let payload, let byteCount)? = try? UpdateLog.next(in: rest) {
        precondition(byteCount > 0 && byteCount <= rest.count && payload.count < byteCount, "a record has another size")
        let again = UpdateLog.encode(timestamp: timestamp, sequence: sequence, payload: Array(payload))
        precondition(again.count <= byteCount, "a record became longer")
        guard timestamp < Int64.max,
            case .record(timestamp, sequence, payload, again.count)? = try? UpdateLog.next(in: again[...])
        else {
            precondition(timestamp == Int64.max, "a record cannot be read again")
            return 0
        }
        rest = rest.dropFirst(byteCount)
    }
    return 0
}
