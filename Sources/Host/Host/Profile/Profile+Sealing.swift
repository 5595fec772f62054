import AppCore
import Foundation
import Sealing
import Storage
import Synchronization

/// Where the identities and pools of one-time keys are kept: rows in the profile's database, wrapped by its vault, and files
/// of private keys in a folder beside it.
extension Profile: SealingStore {
    var poolsFolder: String { path + "/pools" }

    func makePoolsFolder() throws(ProfileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: poolsFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ProfileError.cannotCreate(path: poolsFolder, reason: error.localizedDescription)
        }
    }

    /// Where messages wait that are to be carried by hand.
    var sealedFolder: String { path + "/Sealed" }

    /// What the file of such a message is called there.
    static func sealedName(_ message: AppCore.MessageID) -> String { "\(message.text).ntdf" }

    func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try database.withLock { try body($0) }
    }

    func wrap(_ secret: [UInt8], context: String) throws -> [UInt8] { try vault.seal(secret, context: context) }

    func unwrap(_ wrapped: [UInt8], context: String) throws -> [UInt8] { try vault.open(wrapped, context: context) }
}
