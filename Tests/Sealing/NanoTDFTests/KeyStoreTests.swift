import Cryptography
import NanoTDF
import Testing

@Suite("OpenTDFKit's key stores")
struct KeyStoreTests {
    private static let curves: [EllipticCurve] = [.p256, .p384, .p521]

    @Test(
        "The sizes are OpenTDFKit's",
        arguments: zip(curves, [(532_485, 270_341), (794_629, 401_413), (1_089_541, 548_869)]))
    func sizes(curve: EllipticCurve, expected: (privateBytes: Int, publicBytes: Int)) throws {
        // The entries need not be keys to be counted.
        let entry = { (index: Int) in
            [2, UInt8(index >> 8), UInt8(index & 0xff)] + [UInt8](repeating: 0, count: curve.compressedByteCount - 3)
        }
        let head: [UInt8] = [curve.nanoTDFCode, 0, 0, 0x20, 0]
        let scalar = [UInt8](repeating: 1, count: curve.coordinateByteCount)
        let store = try KeyStore(SecretBytes(copying: head + (0..<8192).flatMap { entry($0) + scalar }))
        #expect(store.count == KeyStore.customaryCount && store.bytes.count == expected.privateBytes)
        #expect(store.publicKeys.bytes.count == expected.publicBytes)
    }

    @Test("A store returns its keys, and is written as it was read", arguments: curves)
    func roundTrip(curve: EllipticCurve) throws {
        let keys = try (0..<5).map { _ in try EllipticCurve.PrivateKey(curve) }
        let store = try KeyStore(keys, on: curve)
        let again = try KeyStore(store.bytes)
        #expect(again.bytes == store.bytes && again.count == 5 && again.curve == curve)
        for key in keys {
            let found = try again.privateKey(for: key.publicKey.compressed)
            #expect(found?.scalar == key.scalar)
        }
        #expect(try again.privateKey(for: EllipticCurve.PrivateKey(curve).publicKey.compressed) == nil)
        let publicKeys = try PublicKeyStore(store.publicKeys.bytes)
        #expect(try publicKeys.keys() == keys.map(\.publicKey))
        #expect(publicKeys == store.publicKeys)
    }

    @Test("A used key is gone, and the others stay", arguments: [0, 2, 4])
    func removal(place: Int) throws {
        let keys = try (0..<5).map { _ in try EllipticCurve.PrivateKey(.p256) }
        let used = keys[place].publicKey.compressed
        let store = try KeyStore(keys, on: .p256).removing(used)
        #expect(try store.privateKey(for: used) == nil)
        var rest = keys
        rest.remove(at: place)
        #expect(try store.bytes == KeyStore(rest, on: .p256).bytes)
        #expect(try store.removing(used).bytes == store.bytes)
    }

    @Test("An empty store is a store")
    func empty() throws {
        #expect(try KeyStore([], on: .p384).bytes == SecretBytes(copying: [1, 0, 0, 0, 0]))
        #expect(try PublicKeyStore([2, 0, 0, 0, 0]).compressed == [])
    }

    @Test("Bytes that are not a store are refused, and a large count before memory is taken")
    func refused() throws {
        let key = [2] + [UInt8](repeating: 7, count: 32)
        let cases: [([UInt8], KeyStoreError.Code)] = [
            ([], .truncated), ([0, 0, 0, 0], .truncated), ([3, 0, 0, 0, 0], .unknownCurve),
            ([9, 0, 0, 0, 0], .unknownCurve), ([0, 0xff, 0xff, 0xff, 0xff], .truncated),
            ([0, 0, 0, 0, 1] + key.dropLast(), .truncated), ([0, 0, 0, 0, 1] + key + [0], .trailingBytes),
            ([0, 0, 0, 0, 2] + key + key, .duplicateKey), ([0, 0, 0, 0, 1, 4] + key.dropFirst(), .invalidKey),
        ]
        for (bytes, code) in cases {
            let error = #expect(throws: KeyStoreError.self) { try PublicKeyStore(bytes) }
            #expect(error?.code == code)
            #expect(throws: KeyStoreError.self) { try KeyStore(SecretBytes(copying: bytes + [1])) }
        }
    }

    @Test("Invalid keys, and pairs that do not belong together, are noticed when they are requested")
    func badKeys() throws {
        let offCurve = [2] + [UInt8](repeating: 0xff, count: 32)
        let publicKeys = try PublicKeyStore([0, 0, 0, 0, 1] + offCurve)
        let error = #expect(throws: KeyStoreError.self) { try publicKeys.keys() }
        #expect(error?.code == .invalidKey)
        let (one, other) = (try EllipticCurve.PrivateKey(.p256), try EllipticCurve.PrivateKey(.p256))
        for scalar in [other.scalar, SecretBytes(copying: [UInt8](repeating: 0, count: 32))] {
            let parts = [SecretBytes(copying: [0, 0, 0, 0, 1] + one.publicKey.compressed), scalar]
            let store = try KeyStore(SecretBytes(joining: parts))
            let error = #expect(throws: KeyStoreError.self) { try store.privateKey(for: one.publicKey.compressed) }
            #expect(error?.code == .invalidKey)
        }
        #expect(throws: KeyStoreError.self) { try KeyStore([one], on: .p384) }
    }
}
