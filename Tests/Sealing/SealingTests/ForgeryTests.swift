import Cryptography
import Foundation
import Sealing
import SealingSupport
import Storage
import Testing

@Suite("Forged messages")
struct ForgeryTests {
    @Test("Every message with one bit changed is refused, and the true one still opens")
    func everyBit() throws {
        let pair = try SealedPair()
        try pair.connect()
        let sealed = try pair.left.session.seal([1, 2, 3], sequence: 9)
        for bit in 0..<sealed.count * 8 {
            var altered = sealed
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: SealingError.self, "bit \(bit)") { try pair.right.session.open(altered) }
        }
        #expect(try pair.right.take(sealed).content == [1, 2, 3])
    }

    @Test("A message that is cut or prolonged is refused")
    func everyLength() throws {
        let pair = try SealedPair()
        try pair.connect()
        let sealed = try pair.left.session.seal([1, 2, 3], sequence: 9)
        for count in 0..<sealed.count {
            #expect(throws: Refused(.unreadable)) { try pair.right.session.openChecked(Array(sealed.prefix(count))) }
        }
        #expect(throws: Refused(.unreadable)) { try pair.right.session.openChecked(sealed + [0]) }
        #expect(try pair.right.take(sealed).content == [1, 2, 3])
    }

    @Test("An attacker with the public keys can neither forge a message nor use up a key by trying")
    func outsider() throws {
        let pair = try SealedPair()
        try pair.connect()
        let model = try pair.left.session.seal([1], sequence: 1)
        let key = try #require(try pair.left.publicKeys().min { $0.key < $1.key })
        let forged = try Outsider.message(like: model, to: key.value, index: key.key, content: [6, 6, 6])
        #expect(try SealingSession.peek(forged).index == key.key)
        #expect(throws: Refused(.forged)) { try pair.right.session.openChecked(forged) }
        #expect(pair.right.session.state.refusals == [.forged: 1])
        // The key that the forgery named serves its true sender.
        var opened: [UInt32?] = []
        for number in UInt64(2)..<40 {
            opened.append(try pair.right.take(pair.left.session.seal([2], sequence: number)).use.index)
        }
        #expect(opened.contains(key.key))
    }

    @Test("A message opens in its own pairing and direction only")
    func otherBond() throws {
        let pair = try SealedPair()
        let other = try SealedPair()
        try pair.connect()
        try other.connect()
        let sealed = try pair.left.session.seal([1], sequence: 1)
        #expect(throws: Refused(.forged)) { try pair.left.session.openChecked(sealed) }
        #expect(throws: Refused(.forged)) { try other.right.session.openChecked(sealed) }
        #expect(throws: Refused(.forged)) { try other.left.session.openChecked(sealed) }
        #expect(try SealingDirectory(store: pair.right.store).pairing(for: SealingSession.peek(sealed)) == "pair")
        #expect(try SealingDirectory(store: other.right.store).pairing(for: SealingSession.peek(sealed)) == nil)
    }

    @Test("A key that was never announced, and an epoch that never was, are unknown")
    func unknownKeys() throws {
        let pair = try SealedPair(target: 32)
        try pair.connect()
        let sealed = try pair.left.session.seal([1], sequence: 1)
        let key = try #require(try pair.left.publicKeys().min { $0.key < $1.key })
        for (epoch, index) in [(1, 32), (1, .max - 1), (2, 0), (0, 0), (.max, 0)] as [(UInt32, UInt32)] {
            let forged = try Outsider.message(like: sealed, to: key.value, epoch: epoch, index: index, content: [1])
            #expect(throws: Refused(.unknownKey)) { try pair.right.session.openChecked(forged) }
        }
    }

    @Test(
        "Bytes that are not a sealed message are unreadable",
        arguments: [[], [0x4C], [0x4C, 0x31, 0x4C], [0x4C, 0x31, 0x4D, 0x2F, 6], Array(repeating: 0x4C, count: 200)]
            as [[UInt8]])
    func unreadable(bytes: [UInt8]) throws {
        #expect(throws: Refused(.unreadable)) { try refusing { try SealingSession.peek(bytes) } }
    }
}

/// Writes messages with public knowledge only.
enum Outsider {
    /// A message with the header of `model` but for what is given, sealed rightly to a public key, with a guessed code.
    static func message(
        like model: [UInt8], to key: [UInt8], epoch: UInt32 = 1, index: UInt32, content: [UInt8]
    ) throws -> [UInt8] {
        let ephemeral = try EllipticCurve.PrivateKey(.p256)
        let point = ephemeral.publicKey.uncompressed
        var header = Array(model.prefix(119))
        header.replaceSubrange(11..<15, with: withUnsafeBytes(of: epoch.bigEndian) { Array($0) })
        header.replaceSubrange(15..<19, with: withUnsafeBytes(of: index.bigEndian) { Array($0) })
        header.replaceSubrange(46..<78, with: point[33...])
        header.replaceSubrange(78..<86, with: HashFunction.sha256.digest(header[24..<78]).suffix(8))
        header.replaceSubrange(86..<119, with: ephemeral.publicKey.compressed)
        let secret = try ephemeral.sharedSecret(with: EllipticCurve.PublicKey(.p256, encoded: key))
        let dek = try HKDF.derive(secret, salt: HashFunction.sha256.digest(Array("L1L".utf8)), info: [], count: 32)
        let nonce: [UInt8] = [UInt8](repeating: 0, count: 11) + [1]
        let payload = try AESGCM.seal(SecureRandom.bytes(16) + content, key: dek, nonce: nonce, context: [])
        return header + [0, 0, UInt8(payload.count + 3), 0, 0, 1] + payload
    }
}

extension SealedPair.Side {
    /// The other side's one-time keys that this side has not reserved yet, by index.
    func publicKeys() throws -> [UInt32: [UInt8]] {
        let rows = try store.read { database in
            try database.query("SELECT first, keys FROM sealing_peer_keys") { row in
                (first: try row[0] as Int, keys: try row[1] as [UInt8])
            }
        }
        var keys: [UInt32: [UInt8]] = [:]
        for row in rows {
            for place in 0..<row.keys.count / 65 {
                keys[UInt32(row.first + place)] = Array(row.keys[place * 65..<place * 65 + 65])
            }
        }
        return keys
    }
}
