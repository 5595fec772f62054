public import Cryptography
internal import Synchronization

/// Keeps secrets sealed on disk under one vault key, which is itself wrapped by a device key or by a passphrase.
///
/// The folder holds up to three small files of mode 0600: `vault` (the wrapped key), `device.key`, and `attempts` (how
/// often a wrong passphrase was tried). What ``seal(_:context:)`` returns can be stored anywhere.
///
/// All calls are synchronous and may be made from any thread. Those that take a passphrase spend some tenths of a
/// second and 64 MiB on it; keep them away from anything that must stay responsive.
public final class Vault: Sendable {
    /// How the vault key is wrapped.
    public enum Protection: Sendable {
        /// By a random key in the same folder. It protects nothing from someone who can read the folder.
        case deviceKey
        /// By a passphrase, as UTF-8 bytes.
        case passphrase(SecretBytes)
    }

    let files: VaultFiles
    private let state: Mutex<State>
    /// Held during an attempt, so that attempts at the same time are counted one after another.
    private let attempts = Mutex<Void>(())

    private struct State {
        var header: VaultHeader
        /// nil while the vault is locked.
        var key: SecretBytes?
    }

    private init(files: VaultFiles, header: VaultHeader, key: SecretBytes?) {
        self.files = files
        state = Mutex(State(header: header, key: key))
    }

    /// Makes a new, unlocked vault in a folder that exists and has none.
    ///
    /// - Parameter cost: what each passphrase costs; less than the default is for tests.
    public static func create(
        in folder: String, protection: Protection, cost: Scrypt.Cost = .passphrase
    ) throws(VaultError) -> Vault {
        let files = VaultFiles(folder: folder)
        guard try files.readHeader() == nil else {
            throw VaultError(.alreadyExists, "there is a vault in \(folder) already; unlock it instead")
        }
        let key = SecretBytes.random(count: VaultHeader.keyByteCount)
        let header = try files.wrap(key, protection: protection, cost: cost)
        try files.write(header)
        return Vault(files: files, header: header, key: key)
    }

    /// Opens the vault of a folder, locked.
    public convenience init(in folder: String) throws(VaultError) {
        let files = VaultFiles(folder: folder)
        guard let header = try files.readHeader() else {
            throw VaultError(.missing, "there is no vault in \(folder)")
        }
        self.init(files: files, header: header, key: nil)
    }

    public var isLocked: Bool { state.withLock { $0.key == nil } }

    /// Whether ``unlock(passphrase:now:)`` is the way in, rather than ``unlock()``.
    public var needsPassphrase: Bool {
        if case .passphrase = state.withLock({ $0.header.protection }) { true } else { false }
    }

    /// Forgets the vault key; its memory is wiped.
    public func lock() {
        state.withLock { $0.key = nil }
    }

    /// Unlocks with the device key.
    public func unlock() throws(VaultError) {
        let header = state.withLock { $0.header }
        guard case .deviceKey = header.protection else {
            throw VaultError(.otherProtection, "this vault is protected by a passphrase; give it")
        }
        let key = try files.unwrap(header, by: try files.readDeviceKey()) {
            VaultError(.deviceKeyUnusable, "the device key is not the one of this vault; put the right one back")
        }
        state.withLock { $0.key = key }
    }

    /// Unlocks with the passphrase; on an unlocked vault, checks it.
    ///
    /// Wrong attempts are counted on disk before they are made, and have to wait longer and longer.
    ///
    /// - Parameter now: the wall clock, in milliseconds since 1970.
    public func unlock(passphrase: SecretBytes, now: Int64) throws(VaultError) {
        try attempts.withLock { _ throws(VaultError) in
            let header = state.withLock { $0.header }
            guard case .passphrase(let cost) = header.protection else {
                throw VaultError(.otherProtection, "this vault is protected by its device key and has no passphrase")
            }
            let key = try files.attempt(at: now) { () throws(VaultError) in
                try files.unwrap(header, by: try VaultFiles.derive(passphrase, salt: header.salt, cost: cost)) {
                    // The real wait is put in where the attempts are counted.
                    VaultError(.wrongPassphrase(waitMilliseconds: 0), "the passphrase is wrong")
                }
            }
            state.withLock { $0.key = key }
        }
    }

    /// Wraps the vault key anew, at once and as a whole; nothing that was sealed changes. The vault must be unlocked.
    ///
    /// Ask for the old passphrase first, and check it with ``unlock(passphrase:now:)``.
    public func changeProtection(
        to protection: Protection, cost: Scrypt.Cost = .passphrase
    ) throws(VaultError) {
        let key = try unlockedKey()
        try attempts.withLock { _ throws(VaultError) in
            let header = try files.wrap(key, protection: protection, cost: cost)
            try files.write(header)
            state.withLock { $0.header = header }
        }
    }

    /// Encrypts bytes of any length.
    ///
    /// - Parameter context: says what and whose they are. ``open(_:context:)`` must name the same, so sealed bytes
    ///   cannot be swapped for others.
    public func seal(_ bytes: [UInt8], context: String) throws(VaultError) -> [UInt8] {
        let key = try unlockedKey()
        do {
            return [Self.sealVersion] + (try AESGCM.seal(bytes, key: key, context: Self.context(context)))
        } catch {
            throw VaultError(.failed, error.message)
        }
    }

    /// Decrypts what ``seal(_:context:)`` returned.
    public func open(_ sealed: [UInt8], context: String) throws(VaultError) -> [UInt8] {
        let key = try unlockedKey()
        guard sealed.first == Self.sealVersion,
            let bytes = try? AESGCM.open(sealed.dropFirst(), key: key, context: Self.context(context))
        else {
            throw VaultError(.notAuthentic, "stored data was altered, or belongs elsewhere; put a copy back")
        }
        return bytes
    }

    /// Removes the vault from the disk. What it sealed can never be opened again.
    public func erase() throws(VaultError) {
        lock()
        try files.erase()
    }

    private func unlockedKey() throws(VaultError) -> SecretBytes {
        guard let key = state.withLock({ $0.key }) else {
            throw VaultError(.locked, "the vault is locked; unlock it first")
        }
        return key
    }

    private static let sealVersion: UInt8 = 1

    private static func context(_ context: String) -> [UInt8] {
        Array("alcove vault 1\0\(context)".utf8)
    }
}
