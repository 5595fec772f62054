import DataChannels

/// Reads any bytes as a DCEP message; what is read must write and read back as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDCEP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let message = try? DCEP(bytes) else { return 0 }
    guard let again = try? DCEP(message.bytes), again == message else {
        fatalError("what was written does not read back: \(message.bytes)")
    }
    return 0
}
