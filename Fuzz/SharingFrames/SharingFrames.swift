import AgentProtocols
import Wire

/// Reads any bytes as messages of the channel of agents: the first byte is the size of a message, and the first byte of each message says whether the
/// frame goes on. What is understood is written, cut into messages and read again, and nothing may be lost.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSharingFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let size = bytes.first.map({ 1 + Int($0) }) else { return 0 }
    var (parts, rest) = (SharingParts(), bytes.dropFirst())
    while !rest.isEmpty {
        if let frame = try? parts.add(Array(rest.prefix(size))) { understand(frame) }
        precondition(parts.heldBytes <= SharingLimits.frameBytes, "too much is held")
        rest = rest.dropFirst(size)
    }
    understand(Array(bytes.dropFirst()))
    return 0
}

private func understand(_ bytes: [UInt8]) {
    guard let frame = try? SharingFrame(bytes) else { return }
    var parts = SharingParts()
    var whole: [UInt8]?
    for message in SharingParts.messages(of: frame.bytes) { whole = try? parts.add(message) }
    guard let whole, let again = try? SharingFrame(whole) else {
        // Escapes may make it longer than it came.
        precondition(frame.bytes.count > SharingLimits.frameBytes, "what was written is not read")
        return
    }
    precondition(again == frame, "a frame is lost")
    if case .unknown = frame.content { return }
    precondition((try? SharingFrame(SharingFrame(frame.content).bytes))?.content == frame.content, "a content is lost")
}
