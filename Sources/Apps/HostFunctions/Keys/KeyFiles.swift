package import Cryptography
package import Storage

/// Keys in files of a folder that only its owner may read, each sealed by the vault of the profile if there is one.
package struct KeyFiles: DeviceKeys {
    private let folder: String
    private let vault: Vault?

    /// - Parameter vault: must be unlocked when keys are used.
    package init(folder: String, vault: Vault?) {
        self.folder = folder
        self.vault = vault
    }

    private static let byteLimit = 4096

    private func path(of name: String) -> String { "\(folder)/\(name).key" }

    package func load(_ name: String) throws(DeviceKeyError) -> SecretBytes? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try AtomicFile.read(path(of: name), atMost: Self.byteLimit)
        } catch {
            if error.code == .missing { return nil }
            throw DeviceKeyError(error.message)
        }
        guard let vault else { return SecretBytes(copying: bytes) }
        do throws(VaultError) {
            return SecretBytes(copying: try vault.open(bytes, context: "device key \(name)"))
        } catch {
            throw DeviceKeyError(error.message)
        }
    }

    package func store(_ key: SecretBytes, as name: String) throws(DeviceKeyError) {
        let plain = key.withUnsafeBytes { Array($0) }
        let bytes: [UInt8]
        do throws(VaultError) {
            bytes = try vault?.seal(plain, context: "device key \(name)") ?? plain
        } catch {
            throw DeviceKeyError(error.message)
        }
        do throws(FileError) {
            try AtomicFile.write(bytes, to: path(of: name))
        } catch {
            throw DeviceKeyError(error.message)
        }
    }
}
