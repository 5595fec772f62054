import Foundation
import Sealing
import SealingSupport

/// A side that knows nobody yet, on a connection.
private let session: SealingSession = {
    let folder = NSTemporaryDirectory() + "alcove-fuzz-\(UUID().uuidString)"
    guard let store = try? FolderStore(folder),
        let session = try? SealingSession(pairing: "bond", store: store, target: 16)
    else { fatalError("there is no place for keys") }
    let (one, two) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    _ = try? session.connected(
        to: ChannelBinding(localFingerprint: one, remoteFingerprint: two, room: "room", role: .creator))
    return session
}()

/// Hands any bytes to a session as a control message, and reads them as the signed part of an announcement. Nobody who
/// cannot sign is ever believed, and a part that is accepted is written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPoolAnnouncements(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let outputs = try? session.receive(control: bytes) {
        precondition(outputs.isEmpty, "a stranger was believed")
    }
    if let part = try? PoolPart(bytes) {
        guard let again = try? PoolPart(part.bytes), again == part else {
            preconditionFailure("a part is written in another way than it was read")
        }
    }
    return 0
}
