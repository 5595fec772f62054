import Foundation
import Sealing
import SealingSupport

/// Two sides that know each other, and a true message between them.
private struct Pair {
    let reader: SealingSession
    let message: [UInt8]

    init() throws {
        let folder = NSTemporaryDirectory() + "alcove-fuzz-\(UUID().uuidString)"
        let writer = try SealingSession(pairing: "bond", store: FolderStore(folder + "/writer"), target: 16)
        reader = try SealingSession(pairing: "bond", store: FolderStore(folder + "/reader"), target: 16)
        let (one, two) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let greeting = try writer.connected(
            to: ChannelBinding(localFingerprint: one, remoteFingerprint: two, room: "room", role: .creator))
        let answer = try reader.connected(
            to: ChannelBinding(localFingerprint: two, remoteFingerprint: one, room: "room", role: .joiner))
        _ = try writer.receive(control: answer[0])
        for case .send(let bytes) in try reader.receive(control: greeting[0]) { _ = try writer.receive(control: bytes) }
        message = try writer.seal([1, 2, 3], sequence: 1)
    }
}

private let pair: Pair = {
    guard let pair = try? Pair() else { fatalError("two sides could not meet") }
    return pair
}()

/// Opens any bytes, as they are and with the hints and the key of a true message. Only that message ever opens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSealedMessage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var addressed = bytes
    if addressed.count >= 46 {
        addressed.replaceSubrange(11..<19, with: pair.message[11..<19])
        addressed.replaceSubrange(34..<46, with: pair.message[34..<46])
    }
    for candidate in [bytes, addressed] where candidate != pair.message {
        let header = try? SealingSession.peek(candidate)
        let opened = try? pair.reader.open(candidate)
        precondition(opened == nil, "a forged message was opened")
        precondition(header == nil || candidate.count >= SealedHeader.overhead, "a header has no payload")
    }
    return 0
}
