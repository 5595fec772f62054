import Wire

/// Decompresses any bytes as gzip. No more comes out than was allowed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGzip(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let content = try? Gzip.decompress(bytes, atMost: 10_000)
    precondition((content?.count ?? 0) <= 10_000, "more came out than was allowed")
    return 0
}
