import Cryptography
import NanoTDF

/// Builds a file byte by byte in the dialects of other programs, without using the code under test.
struct ForeignFile {
    enum Binding {
        case digest, tag, tagOfContent, fixed, prefixed
    }

    var magic = Array("L1L".utf8)
    var salt = HashFunction.sha256.digest(Array("L1L".utf8))
    var info: [UInt8] = []
    var namesReader = false
    var binding = Binding.digest
    var policyKind: UInt8 = 1
    /// On the wire.
    var policy = Array("who".utf8)
    /// A key access, for kind 3.
    var afterPolicy: [UInt8] = []
    var configuration: UInt8 = 5
    var vector: [UInt8] = [1, 2, 3]
    var nonce: ([UInt8]) -> [UInt8] = { [UInt8](repeating: 0, count: 9) + $0 }
    /// Signs the bytes with the flag (bit 7) cleared if the second is true.
    var signer: (key: EllipticCurve.PrivateKey, beforeFlag: Bool)?

    /// Seals "hello" to a key on P-256.
    func bytes(to reader: EllipticCurve.PublicKey) throws -> [UInt8] {
        let ephemeral = try EllipticCurve.PrivateKey(.p256)
        let key = try HKDF.derive(ephemeral.sharedSecret(with: reader), salt: salt, info: info, count: 32)
        var bytes = magic + [0x11, 3] + Array("kas".utf8) + Array("e1".utf8)
        if namesReader { bytes += [0] + reader.compressed }
        let isECDSA = binding == .fixed || binding == .prefixed
        let flags = bytes.count + 1
        bytes += [isECDSA ? 0x80 : 0, configuration | (signer == nil ? 0 : 0x80)]
        bytes += [policyKind, 0, UInt8(policy.count)] + policy + afterPolicy
        bytes += try bound(ephemeral, key) + ephemeral.publicKey.compressed
        let sealed = try AESGCM.seal(
            Array("hello".utf8), key: key, nonce: nonce(vector), context: [], tagByteCount: 16)
        bytes += [0, 0, UInt8(3 + sealed.count)] + vector + sealed
        guard let signer else { return bytes }
        var signed = bytes
        if signer.beforeFlag { signed[flags] &= 0x7f }
        return bytes + signer.key.publicKey.compressed + (try signer.key.sign(signed))
    }

    private func bound(_ ephemeral: EllipticCurve.PrivateKey, _ key: SecretBytes) throws -> [UInt8] {
        let zeros = [UInt8](repeating: 0, count: 12)
        switch binding {
        case .digest: return HashFunction.sha256.digest(policy).suffix(8)
        case .tag:
            let context = [0, UInt8(policy.count)] + policy
            return Array(try AESGCM.seal([], key: key, nonce: zeros, context: context).prefix(8))
        case .tagOfContent: return Array(try AESGCM.seal([], key: key, nonce: zeros, context: policy).prefix(8))
        case .fixed: return try ephemeral.sign(policy)
        case .prefixed:
            let signature = try ephemeral.sign(policy)
            let halves = [signature.prefix(32), signature.suffix(32)].map { $0.drop { $0 == 0 } }
            return halves.flatMap { [UInt8($0.count)] + $0 }
        }
    }
}
