import NanoTDF

/// Reads any bytes as what stands between the flags of a header and its ephemeral key: policy and binding, in each of the two
/// modes and on two curves.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNanoTDFPolicy(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let middle = Array(UnsafeBufferPointer(start: start, count: count))
    for (modes, keyByteCount): (UInt8, Int) in [(0x00, 33), (0x80, 33), (0x02, 67), (0x82, 67)] {
        let front: [UInt8] = [0x4c, 0x31, 0x4c, 0x01, 1, 0x6b, modes, 5]
        let bytes = front + middle + [2] + [UInt8](repeating: 7, count: keyByteCount - 1)
        guard let header = try? NanoTDF.Header(bytes) else { continue }
        precondition(header.bytes == bytes, "a header is written in another way than it was read")
        let parts = header.policy.bytes + header.binding.bytes
        precondition(parts == middle, "policy and binding are not what stands there")
        _ = header.checkBinding()
    }
    return 0
}
