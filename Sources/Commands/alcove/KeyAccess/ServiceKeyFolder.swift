import Cryptography
import Foundation
import KeyAccess
import Storage

/// The private keys of a key access service as files: a PEM file for each, whose name without `.pem` is the key's identifier.
struct ServiceKeyFolder {
    let path: String

    /// The identifier that other services give their first key too.
    private static let firstKey = "e1"
    private static let byteLimit = 65_536

    /// The keys in the order of their names. In an empty folder, or a missing one, a key on P-256 is made.
    func keys() throws -> ServiceKeys {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            var names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".pem") }
                .sorted()
            if names.isEmpty { names = [Self.firstKey + ".pem"] }
            return try ServiceKeys(names.map { name in try Self.key("\(path)/\(name)") })
        } catch let error as KeyAccessError {
            throw CommandFailure(error.message, .configuration)
        } catch let error as CocoaError {
            throw CommandFailure("\(path) cannot be used: \(ErrorWords.reason(error))", .cannotCreate)
        }
    }

    /// The key in a file, which is made if it is missing.
    static func key(_ path: String) throws -> ServiceKeys.Key {
        let id = URL(filePath: path).deletingPathExtension().lastPathComponent
        do {
            if !FileManager.default.fileExists(atPath: path) { try make(path) }
            try checkPermissions(of: path)
            var bytes = try AtomicFile.read(path, atMost: byteLimit)
            defer { for index in bytes.indices { bytes[index] = 0 } }
            return ServiceKeys.Key(id: id, privateKey: try EllipticCurve.PrivateKey(file: SecretBytes(copying: bytes)))
        } catch let error as FileError {
            throw CommandFailure(error.message, .cannotCreate)
        } catch let error as CryptographyError {
            throw CommandFailure("\(path): \(error.message)", .dataError)
        }
    }

    private static func make(_ path: String) throws {
        var bytes = try EllipticCurve.PrivateKey(.p256).pem.withUnsafeBytes { Array($0) }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        try AtomicFile.write(bytes, to: path)
    }

    private static func checkPermissions(of path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw CommandFailure("others may read the private key \(path): chmod 600 \(path)", .noPermission)
        }
    }
}
