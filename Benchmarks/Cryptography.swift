import Cryptography
import Rooms

extension Suite {
    static let cryptography = Suite(
        name: "cryptography", about: "what verification, the vault and their primitives cost"
    ) { recorder in
        let code = try JoinCode(parsing: "482913-maple-otter")
        guard let key = try JoinKey(code) else { return }
        try await recorder.time("words made ready", aim: 200, rounds: 5) { _ = try JoinKey(code) }
        try await recorder.time("verification, both sides", aim: 10, rounds: 51) { try verify(key) }
        await recorder.time("safety number", aim: 50, rounds: 11) {
            _ = SafetyNumber(local: digest(1), remote: digest(2), roomID: "room")
        }
        let secret = SecretBytes.random(count: 32)
        let kilobyte = [UInt8](repeating: 7, count: 1024)
        let block = [UInt8](repeating: 7, count: 1 << 20)
        try await recorder.rate("AES-GCM of 1 KiB", unit: "seals/s", aim: 200_000, count: 10_000) {
            for _ in 0..<10_000 { _ = try AESGCM.seal(kilobyte, key: secret) }
        }
        await recorder.rate("SHA-256", unit: "MiB/s", aim: 500, count: 64) {
            for _ in 0..<64 { _ = HashFunction.sha256.digest(block) }
        }
        try await recorder.time("passphrase of the vault", rounds: 3) {
            _ = try Scrypt.derive(secret, salt: kilobyte, cost: .passphrase, count: 32)
        }
    }
}

private struct NotVerified: Error {}

/// One whole verification between two sides in this process.
private func verify(_ key: JoinKey) throws {
    var creator = RoomVerification(role: .creator, roomID: "room", words: key)
    var joiner = RoomVerification(role: .joiner, roomID: "room", words: key)
    var toCreator = sent(joiner.start() + joiner.fingerprints(local: digest(2), remote: digest(1)))
    var toJoiner = sent(creator.start() + creator.fingerprints(local: digest(1), remote: digest(2)))
    while !toCreator.isEmpty || !toJoiner.isEmpty {
        let (first, second) = (toCreator, toJoiner)
        toJoiner = first.flatMap { sent(creator.receive($0)) }
        toCreator = second.flatMap { sent(joiner.receive($0)) }
    }
    guard case .verified = creator.outcome, case .verified = joiner.outcome else { throw NotVerified() }
}

private func sent(_ outputs: [RoomVerification.Output]) -> [[UInt8]] {
    outputs.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }
}

private func digest(_ byte: UInt8) -> [UInt8] {
    [UInt8](repeating: byte, count: 32)
}
