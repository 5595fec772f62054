import CRDTBridge

/// Looks through any bytes as a Yjs update. What passes has an end where its lengths say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCRDTUpdate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? CRDTBridge.clients(in: Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
