import Wire

/// Decompresses any bytes, as a bare stream and as gzip. No more comes out than was allowed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInflate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    for content in [try? Inflate.raw(bytes, atMost: 10_000), try? Inflate.gzip(bytes, atMost: 10_000)] {
        precondition((content?.count ?? 0) <= 10_000, "more came out than was allowed")
    }
    return 0
}
