import DataChannels

/// Reads any bytes as a candidate; what is read must write and read back as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzICECandidate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let candidate = try? ICECandidate(line: text) else { return 0 }
    guard let again = try? ICECandidate(line: candidate.line), again == candidate else {
        fatalError("what was written does not read back: \(candidate.line)")
    }
    return 0
}
