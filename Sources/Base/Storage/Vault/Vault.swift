public import Cryptography
internal import Synchronization
internal import Wire

/// Keeps secrets sealed on disk under keys of its own, which are themselves wrapped by a device key or by a passphrase.
///
/// The folder holds up to three small files of mode 0600: `vault` (the wrapped keys), `device.key`, and `attempts` (how
/// often a wrong passphrase was tried), which exists only with a passphrase and keeps its size. The result of
/// ``seal(_:context:)`` can be stored anywhere.
///
/// With every change of protection the vault gets a fresh key. From then on, nothing is sealed with keys that an old
/// copy of the files could reveal. Older sealed bytes open until ``retireOldKeys()``; their owner seals them anew
/// before that: see ``needsResealing(_:)``.
///
/// All calls are synchronous and may be made from any thread. Those with a passphrase take some tenths of a second and
/// 64 MiB; do not make them where responses must be quick.
public final class Vault: Sendable {
    /// How the vault's keys are wrapped.
    public enum Protection: Sendable {
        /// By a random key in the same folder. It does not protect from anyone who can read the folder.
        case deviceKey
        /// By a passphrase, as UTF-8 bytes.
        case passphrase(SecretBytes)
    }

    let files: VaultFiles
    private let state: Mutex<State>
    /// Held during an attempt, so that attempts at the same time are counted one after another.
    private let attempts = Mutex<Void>(())
    /// The newest generation when this process opened the vault.
    private let firstGeneration: UInt32

    private struct State {
        var header: VaultHeader
        /// nil while the vault is locked.
        var opened: Opened?
    }

    /// What an unlocked vault knows.
    struct Opened {
        /// The keys on the disk.
        var ring: VaultKeyRing
        /// Wraps the ring.
        var wrapping: SecretBytes
        /// With keys that this process retired: who read sealed bytes just before they were sealed anew can still open them.
        var former: VaultKeyRing?

        /// The key of a generation; nil if it was dropped, or does not exist yet.
        func key(of generation: UInt32) -> SecretBytes? { ring.key(of: generation) ?? former?.key(of: generation) }
    }

    private init(files: VaultFiles, header: VaultHeader, opened: Opened?) {
        self.files = files
        firstGeneration = header.generation
        state = Mutex(State(header: header, opened: opened))
    }

    /// Makes a new, unlocked vault in a folder that exists and has none.
    ///
    /// - Parameter cost: the cost of each attempt; less than the default is for tests.
    public static func create(
        in folder: String, protection: Protection, cost: Scrypt.Cost = .passphrase
    ) throws(VaultError) -> Vault {
        let files = VaultFiles(folder: folder)
        guard try files.readHeader() == nil else {
            throw VaultError(.alreadyExists, "there is a vault in \(folder) already; unlock it instead")
        }
        let (header, opened) = try files.wrap(.first(), protection: protection, cost: cost)
        try files.write(header)
        return Vault(files: files, header: header, opened: opened)
    }

    /// Opens the vault of a folder, locked.
    public convenience init(in folder: String) throws(VaultError) {
        let files = VaultFiles(folder: folder)
        guard let header = try files.readHeader() else {
            throw VaultError(.missing, "there is no vault in \(folder)")
        }
        files.tidy(after: header)
        self.init(files: files, header: header, opened: nil)
    }

    /// Whether its keys are not in memory. Then nothing is sealed or opened until ``unlock(passphrase:now:)``.
    public var isLocked: Bool { state.withLock { $0.opened == nil } }

    /// Whether ``unlock(passphrase:now:)`` unlocks it, rather than ``unlock()``.
    public var needsPassphrase: Bool {
        if case .passphrase = state.withLock({ $0.header.protection }) { true } else { false }
    }

    /// The number of the newest key. It grows with every change of protection.
    public var generation: UInt32 { state.withLock { $0.header.generation } }

    /// Forgets the vault's keys; their memory is wiped.
    public func lock() {
        state.withLock { $0.opened = nil }
    }

    /// Unlocks with the device key.
    public func unlock() throws(VaultError) {
        let header = state.withLock { $0.header }
        guard case .deviceKey = header.protection else {
            throw VaultError(.otherProtection, "this vault is protected by a passphrase; give it")
        }
        let opened = try files.unwrap(header, by: try files.readDeviceKey()) {
            VaultError(.deviceKeyUnusable, "the device key is not the one of this vault; put the right one back")
        }
        state.withLock { $0.opened = opened }
    }

    /// The key that a passphrase stands for, for the process that takes this vault over; `nil` while it is locked. It opens the vault until
    /// the passphrase is changed: keep it out of files, and give it to nobody else.
    package var handedOverKey: SecretBytes? {
        state.withLock { state in
            guard case .passphrase = state.header.protection else { return nil }
            return state.opened?.wrapping
        }
    }

    /// Unlocks with the ``handedOverKey`` of the process that had this vault before.
    package func unlock(handedOver key: SecretBytes) throws(VaultError) {
        let opened = try files.unwrap(state.withLock { $0.header }, by: key) {
            VaultError(.notAuthentic, "the passphrase was changed meanwhile; unlock with the new one")
        }
        state.withLock { $0.opened = opened }
    }

    /// Unlocks with the passphrase; on an unlocked vault, checks it.
    ///
    /// Attempts are counted on disk before they are made. After wrong ones the wait grows.
    ///
    /// - Parameter now: the wall clock, in milliseconds since 1970.
    public func unlock(passphrase: SecretBytes, now: Int64) throws(VaultError) {
        try attempts.withLock { _ throws(VaultError) in
            let header = state.withLock { $0.header }
            var opened = try files.attempt(passphrase, on: header, at: now)
            state.withLock { state in
                opened.former = state.opened?.former
                state.opened = opened
            }
        }
    }

    /// Adds a fresh key, which seals everything from now on, and wraps all keys anew, atomically. Older sealed bytes
    /// still open. The vault must be unlocked; if it is locked meanwhile, it stays locked and its protection changes
    /// all the same.
    ///
    /// - Parameters:
    ///   - current: the present passphrase, if there is one. It is an attempt like ``unlock(passphrase:now:)``.
    ///   - now: the wall clock, in milliseconds since 1970.
    ///   - cost: what each passphrase costs; less than the default is for tests.
    public func changeProtection(
        to protection: Protection, current: SecretBytes? = nil, now: Int64 = 0, cost: Scrypt.Cost = .passphrase
    ) throws(VaultError) {
        try attempts.withLock { _ throws(VaultError) in
            let (old, present) = state.withLock { ($0.header, $0.opened) }
            guard var ring = present?.ring else { throw Self.lockedError }
            // Before an attempt is counted, and before it costs anything.
            _ = try ring.renewed()
            if case .passphrase = old.protection {
                guard let current else {
                    throw VaultError(.currentPassphraseNeeded, "the present passphrase is needed to change it")
                }
                ring = try files.attempt(current, on: old, at: now).ring
            }
            var (header, opened) = try files.wrap(ring.renewed(), protection: protection, cost: cost)
            opened.former = present?.former
            try files.write(header)
            state.withLock { state in
                state.header = header
                if state.opened != nil { state.opened = opened }
            }
        }
    }

    /// Encrypts bytes of any length.
    ///
    /// - Parameter context: identifies the bytes and their owner. ``open(_:context:)`` must get the same, so sealed
    ///   bytes cannot be exchanged for others.
    public func seal(_ bytes: [UInt8], context: String) throws(VaultError) -> [UInt8] {
        let ring = try unlocked().ring
        guard let key = ring.key(of: ring.generation) else { throw Self.lockedError }
        do {
            return Self.prefix(ring.generation)
                + (try AESGCM.seal(bytes, key: key, context: Self.context(context)))
        } catch {
            throw VaultError(.failed, error.message)
        }
    }

    /// Decrypts what ``seal(_:context:)`` returned.
    public func open(_ sealed: [UInt8], context: String) throws(VaultError) -> [UInt8] {
        let opened = try unlocked()
        guard let (generation, body) = Self.parse(sealed), let key = opened.key(of: generation),
            let bytes = try? AESGCM.open(body, key: key, context: Self.context(context))
        else {
            throw VaultError(.notAuthentic, "stored data was altered, or belongs elsewhere; put a copy back")
        }
        return bytes
    }

    /// Removes the vault from the disk. Its sealed bytes can never be opened again.
    public func erase() throws(VaultError) {
        lock()
        try files.erase()
    }

    /// Removes the vault of a folder, whatever state it is in.
    public static func erase(in folder: String) throws(VaultError) { try VaultFiles(folder: folder).erase() }

    private func unlocked() throws(VaultError) -> Opened {
        guard let opened = state.withLock({ $0.opened }) else { throw Self.lockedError }
        return opened
    }

    private static var lockedError: VaultError { VaultError(.locked, "the vault is locked; unlock it first") }

    private static func context(_ context: String) -> [UInt8] {
        Array("alcove vault 1\0\(context)".utf8)
    }
}

extension Vault {
    // Sealed bytes begin with their version and, since version 2, with the generation of their key.

    private static func prefix(_ generation: UInt32) -> [UInt8] {
        [2] + withUnsafeBytes(of: generation.bigEndian) { Array($0) }
    }

    private static func parse(_ sealed: [UInt8]) -> (generation: UInt32, body: ArraySlice<UInt8>)? {
        var reader = ByteReader(sealed)
        switch try? reader.readByte() {
        case 1: return (0, sealed.dropFirst())
        case 2: return (try? reader.readInteger(UInt32.self)).map { ($0, sealed.dropFirst(5)) }
        default: return nil
        }
    }

    /// The first bytes of everything that the newest key sealed. Bytes that begin otherwise have to be sealed anew.
    public var newestPrefix: [UInt8] { Self.prefix(generation) }

    /// Whether an older key sealed the bytes.
    public func needsResealing(_ sealed: [UInt8]) -> Bool { !sealed.starts(with: newestPrefix) }

    /// Whether the vault still holds keys of older generations.
    public var holdsOldKeys: Bool { state.withLock { ($0.opened?.ring.count ?? 1) > 1 } }

    /// Whether ``changeProtection(to:current:now:cost:)`` is refused until older keys are retired.
    public var isFull: Bool { state.withLock { $0.opened?.ring.isFull ?? false } }

    /// Drops the keys of older generations from the disk, durably. Call it when everything has been sealed anew and is
    /// on the disk. In memory they stay until the vault is locked, for bytes that were read before and not opened yet.
    ///
    /// Another part of this process may have sealed with any key that was the newest since the process opened the
    /// vault, and not stored the result yet. So these keys stay; the next process drops them.
    /// - Returns: whether only the newest key is left.
    public func retireOldKeys() throws(VaultError) -> Bool {
        try attempts.withLock { _ throws(VaultError) in
            let (header, present) = state.withLock { ($0.header, $0.opened) }
            guard let present else { throw Self.lockedError }
            let ring = present.ring.since(firstGeneration)
            guard ring.count < present.ring.count else { return ring.count == 1 }
            let opened = Opened(ring: ring, wrapping: present.wrapping, former: present.former ?? present.ring)
            let fresh = try files.rewrap(opened, like: header)
            try files.write(fresh)
            state.withLock { state in
                state.header = fresh
                if state.opened != nil { state.opened = opened }
            }
            return ring.count == 1
        }
    }
}
