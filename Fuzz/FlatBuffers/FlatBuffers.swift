import ArkavoEvents
import Wire

/// Reads any bytes as each of the three roots. What is accepted reads the same after it was written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFlatBuffers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    check(try? Arkavo.Event(flatBuffer: bytes))
    check(try? Arkavo.EntityRoot(flatBuffer: bytes))
    check(try? Arkavo.Metadata(flatBuffer: bytes))
    return 0
}

private func check<Table: FlatBufferTable>(_ table: Table?) {
    guard let table else { return }
    guard let written = try? table.flatBuffer(), let again = try? Table(flatBuffer: written) else {
        preconditionFailure("what we write cannot be read")
    }
    // The bytes are compared, because a weight that is no number does not equal itself.
    precondition((try? again.flatBuffer()) == written, "a message changes when it is read and written again")
}
