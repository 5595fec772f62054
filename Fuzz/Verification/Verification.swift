import Cryptography
import Rooms

/// Delivers any bytes, cut into messages by their first byte, to both roles in the middle of a verification.
/// Nothing but the real peer may ever lead to `verified`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVerification(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let words = try? P256.Scalar(bytes: SecretBytes(copying: [UInt8](repeating: 7, count: 32))) else { return 0 }
    for role in [RoomVerification.Role.creator, .joiner] {
        var verification = RoomVerification(role: role, roomID: "room", words: JoinKey(scalar: words))
        _ = verification.start()
        _ = verification.fingerprints(local: [UInt8](repeating: 1, count: 32), remote: [UInt8](repeating: 2, count: 32))
        var rest = UnsafeBufferPointer(start: start, count: count)[...]
        while let length = rest.popFirst() {
            _ = verification.receive(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        if case .verified = verification.outcome { preconditionFailure("a stranger was verified") }
    }
    return 0
}
