import AppCore
import Host

/// What a person should hear of the keys when something was sealed or opened outside of a room, where no screen says it.
struct KeyNotice: Encodable {
    /// With which kind of key it was sealed.
    let seal: Seal
    /// One-time keys that are left in this direction: to write with after sealing, to be written with after opening.
    let keysLeft: Int
    /// Whether these are few.
    let keysLow: Bool

    private init(_ seal: Seal, _ left: KeysLeft.Direction) {
        (self.seal, keysLeft, keysLow) = (seal, left.count, left.areFew)
    }

    /// After something was sealed.
    /// - Throws: ``Failure`` with `unreadable` if it is not sealed.
    static func sealed(_ bytes: [UInt8], in room: RoomID, on host: any ProfileHost) async throws -> KeyNotice {
        KeyNotice(try AppHost.seal(of: bytes), try await host.keysLeft(in: room).toWrite)
    }

    /// After something was opened.
    static func opened(_ seal: Seal, in room: RoomID, on host: any ProfileHost) async throws -> KeyNotice {
        KeyNotice(seal, try await host.keysLeft(in: room).toBeWritten)
    }

    /// Says on standard error what the sender should know.
    func warnAfterSealing() {
        switch (seal, keysLow) {
        case (.lastResort, _):
            Terminal.complain(
                """
                warning: no one-time key is left to write with, so this is sealed to a key that is used more than once; whoever \
                gets hold of that key can open it. \(Self.advice)
                """)
        case (.oneTime, true):
            Terminal.complain("warning: \(keysLeft) one-time keys are left to write with. \(Self.advice)")
        case (.oneTime, false): break
        }
    }

    /// Says on standard error what the reader should know.
    func warnAfterOpening() {
        if seal == .lastResort {
            Terminal.complain(
                """
                warning: this was sealed to a key that is used more than once; whoever gets hold of that key can open it. \
                \(Self.advice)
                """)
        } else if keysLow {
            Terminal.complain(
                "warning: \(keysLeft) one-time keys are left for the other person to write with. \(Self.advice)")
        }
    }

    private static let advice = "New keys come when you are both connected: alcove circle renew NAME"
}
