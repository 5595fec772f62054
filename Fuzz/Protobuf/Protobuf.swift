import Wire

/// Walks any bytes as a protobuf message, opening every field in every way.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProtobuf(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    walk(ProtobufReader(Array(UnsafeBufferPointer(start: start, count: count))))
    return 0
}

private func walk(_ message: ProtobufReader) {
    var reader = message
    while let field = try? reader.next() {
        _ = try? field.uint64()
        _ = try? field.sint64()
        _ = try? field.double()
        _ = try? field.float()
        _ = try? field.string(atMost: 1000)
        _ = try? field.uint64s(atMost: 1000)
        if let nested = try? field.message() { walk(nested) }
    }
}
