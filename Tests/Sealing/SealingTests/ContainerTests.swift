import Cryptography
import Foundation
import NanoTDF
import Sealing
import SealingSupport
import Storage
import Testing

@Suite("Sealed messages as NanoTDF")
struct ContainerTests {
    @Test("A reader of NanoTDF that knows nothing of this protocol opens a message with the one-time key")
    func genericReader() throws {
        let pair = try SealedPair(target: 16)
        try pair.connect()
        let key = try pair.right.privateKey(0)
        let sealed = try pair.left.session.seal([1, 2, 3], sequence: 0x0102)
        let container = try NanoTDF(sealed)
        #expect(container.bytes == sealed)
        #expect(container.header.kas.transport == .sharedResourceDirectory)
        #expect(container.header.kas.body == Array("alcove".utf8))
        #expect(container.header.kas.identifier == [0, 0, 0, 1, 0, 0, 0, 0])
        let opened = try container.open(with: key)
        #expect(opened.nonceRule == .zerosBefore)
        #expect(Array(opened.plaintext.dropFirst(16)) == [1, 2, 3])
        #expect(throws: NanoTDFError.self) { try container.open(with: EllipticCurve.PrivateKey(.p256)) }
    }
}

extension SealedPair.Side {
    /// A private key of this side's only pool, taken from its file past the session.
    func privateKey(_ index: Int) throws -> EllipticCurve.PrivateKey {
        let row = try store.read { database in
            try database.first("SELECT file, secrets FROM sealing_pools") {
                (try $0[0] as String, try $0[1] as [UInt8])
            }
        }
        let (file, wrapped) = try #require(row)
        let secrets = try store.unwrap(wrapped, context: "sealing/pool/pair/1")
        let slots = try SlotFile(at: store.poolsFolder + "/" + file)
        let context = slots.identifier + withUnsafeBytes(of: UInt64(index).bigEndian) { Array($0) }
        let scalar = try AESGCM.openSecret(
            slots.read(index).prefix(60), key: SecretBytes(copying: secrets.prefix(32)), context: context)
        return try EllipticCurve.PrivateKey(.p256, scalar: scalar)
    }
}
