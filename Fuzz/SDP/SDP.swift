import DataChannels

/// Reads any bytes as an offer and as an answer; what is read must write and read back as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSDP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    for kind in [SessionDescription.Kind.offer, .answer] {
        guard let description = try? SessionDescription(kind: kind, sdp: text) else { continue }
        guard let again = try? SessionDescription(kind: kind, sdp: description.sdp), again == description else {
            fatalError("what was written does not read back:\n\(description.sdp)")
        }
    }
    return 0
}
