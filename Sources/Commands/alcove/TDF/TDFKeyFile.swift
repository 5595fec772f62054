import Cryptography
import Foundation

/// Keys that are named on the command line.
enum TDFKeyFile {
    private static let byteLimit = 65_536

    static func privateKey(_ path: String) throws(CommandFailure) -> EllipticCurve.PrivateKey {
        var bytes = try ByteInput(path).readAll(atMost: byteLimit)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        do {
            return try EllipticCurve.PrivateKey(file: SecretBytes(copying: bytes))
        } catch {
            throw CommandFailure("\(path): \(error.message)", .dataError)
        }
    }

    /// A public key: PEM, DER, a certificate, or a bare point, whose length tells the curve.
    static func publicKey(_ path: String) throws(CommandFailure) -> EllipticCurve.PublicKey {
        let bytes = try ByteInput(path).readAll(atMost: byteLimit)
        do {
            if let curve = curve(ofPoint: bytes) { return try EllipticCurve.PublicKey(curve, encoded: bytes) }
            return try EllipticCurve.PublicKey(file: bytes)
        } catch {
            throw CommandFailure("\(path): \(error.message)", .dataError)
        }
    }

    private static func curve(ofPoint bytes: [UInt8]) -> EllipticCurve? {
        // DER begins with 30, and PEM with text.
        guard let first = bytes.first, (2...4).contains(first) else { return nil }
        return [EllipticCurve.p256, .p384, .p521].first {
            bytes.count == (first == 4 ? $0.uncompressedByteCount : $0.compressedByteCount)
        }
    }
}
