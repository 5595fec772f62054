internal import Cryptography
internal import Wire

/// The vault's files, and the order of changes to them. See ``Vault``.
struct VaultFiles: Sendable {
    private let vault: String
    private let deviceKey: String
    private let attempts: AttemptsFile

    init(folder: String) {
        vault = folder + "/vault"
        deviceKey = folder + "/device.key"
        attempts = AttemptsFile(path: folder + "/attempts")
    }

    /// nil if there is no vault.
    func readHeader() throws(VaultError) -> VaultHeader? {
        guard let bytes = try read(vault, atMost: 4096) else { return nil }
        do {
            return try VaultHeader(bytes)
        } catch {
            throw VaultError(.corrupt, "\(vault): \(error.message); put a copy back")
        }
    }

    /// Replaces the header by `header`, and removes files that only the old one needed.
    func write(_ header: VaultHeader) throws(VaultError) {
        guard case .passphrase = header.protection else {
            try write(header.bytes, to: vault)
            return try remove(attempts.path)
        }
        // The file of attempts is made first, because the disk may be full later.
        do { try attempts.prepare() } catch { throw Self.failure(error) }
        try write(header.bytes, to: vault)
        try eraseDeviceKey()
        try count(UnlockThrottle())
    }

    /// Removes files of a process that was killed while it wrote: a device key beside a passphrase would make the
    /// passphrase pointless.
    func tidy(after header: VaultHeader) {
        for path in [vault, deviceKey, attempts.path] { try? AtomicFile.erase(Self.unfinished(path)) }
        guard case .passphrase = header.protection else { return }
        try? eraseDeviceKey()
        try? attempts.prepare()
    }

    /// Wraps the vault's keys. A fresh device key is on the disk when this returns.
    func wrap(
        _ ring: VaultKeyRing, protection: Vault.Protection, cost: Scrypt.Cost
    ) throws(VaultError) -> (header: VaultHeader, opened: Vault.Opened) {
        let salt = SecureRandom.bytes(VaultHeader.saltByteCount)
        let wrapping: SecretBytes
        let kind: VaultHeader.Protection
        switch protection {
        case .deviceKey:
            wrapping = try existingOrNewDeviceKey()
            kind = .deviceKey
        case .passphrase(let passphrase):
            guard passphrase.count > 0 else { throw VaultError(.failed, "a passphrase must not be empty; choose one") }
            wrapping = try Self.derive(passphrase, salt: salt, cost: cost)
            kind = .passphrase(cost)
        }
        let opened = Vault.Opened(ring: ring, wrapping: wrapping)
        return (try seal(opened, kind, salt: salt), opened)
    }

    /// Wraps other keys as those of `header` were.
    func rewrap(_ opened: Vault.Opened, like header: VaultHeader) throws(VaultError) -> VaultHeader {
        try seal(opened, header.protection, salt: header.salt)
    }

    private func seal(
        _ opened: Vault.Opened, _ protection: VaultHeader.Protection, salt: [UInt8]
    ) throws(VaultError) -> VaultHeader {
        do {
            return try VaultHeader(wrapping: opened.ring, by: opened.wrapping, protection: protection, salt: salt)
        } catch {
            throw VaultError(.failed, error.message)
        }
    }

    /// The vault's keys. Throws `refusal` if `wrapping` is the wrong key.
    func unwrap(
        _ header: VaultHeader, by wrapping: SecretBytes, orElse refusal: () -> VaultError
    ) throws(VaultError) -> Vault.Opened {
        do {
            return Vault.Opened(ring: try header.unwrap(by: wrapping), wrapping: wrapping)
        } catch {
            throw error.code == .authenticationFailed ? refusal() : VaultError(.failed, error.message)
        }
    }

    /// The vault's keys, unwrapped with a passphrase, if an attempt is allowed now.
    func attempt(_ passphrase: SecretBytes, on header: VaultHeader, at now: Int64) throws(VaultError) -> Vault.Opened {
        guard case .passphrase(let cost) = header.protection else {
            throw VaultError(.otherProtection, "this vault is protected by its device key and has no passphrase")
        }
        return try attempt(at: now) { () throws(VaultError) in
            try unwrap(header, by: try Self.derive(passphrase, salt: header.salt, cost: cost)) {
                // The caller, which counts attempts, sets the real wait.
                VaultError(.wrongPassphrase(waitMilliseconds: 0), "the passphrase is wrong")
            }
        }
    }

    static func derive(_ passphrase: SecretBytes, salt: [UInt8], cost: Scrypt.Cost) throws(VaultError) -> SecretBytes {
        do {
            return try Scrypt.derive(passphrase, salt: salt, cost: cost, count: VaultHeader.keyByteCount)
        } catch {
            throw VaultError(.failed, error.message)
        }
    }

    func readDeviceKey() throws(VaultError) -> SecretBytes {
        guard let bytes = try read(deviceKey, atMost: 4096), bytes.count == VaultHeader.keyByteCount else {
            throw VaultError(.deviceKeyUnusable, "\(deviceKey) is missing or damaged; put it back")
        }
        let permissions: UInt32
        do {
            permissions = try AtomicFile.permissions(of: deviceKey)
        } catch {
            throw VaultError(.failed, error.message)
        }
        guard permissions & 0o077 == 0 else {
            throw VaultError(.deviceKeyExposed, "others may read \(deviceKey); run chmod 600 on it")
        }
        return SecretBytes(copying: bytes)
    }

    /// An existing key stays, because it may wrap the vault on the disk until the new vault replaces that.
    private func existingOrNewDeviceKey() throws(VaultError) -> SecretBytes {
        if try read(deviceKey, atMost: 4096) != nil { return try readDeviceKey() }
        let key = SecretBytes.random(count: VaultHeader.keyByteCount)
        try write(key.withUnsafeBytes { Array($0) }, to: deviceKey)
        return key
    }

    /// Makes one attempt with a passphrase if one is allowed now. It is counted before it is made; success clears the
    /// count.
    private func attempt<Result>(
        at now: Int64, _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let stored: AttemptsFile.Content
        do { stored = try attempts.read() } catch { throw Self.failure(error) }
        // A missing record means no failure so far. An unreadable one gives neither free attempts nor a lock-out.
        var throttle =
            switch stored {
            case .missing: UnlockThrottle()
            case .counted(let throttle): throttle
            case .unreadable: UnlockThrottle.unknown(at: now)
            }
        let wait = throttle.wait(at: now)
        guard wait == 0 else {
            // The wait changes if the clock was set back.
            if .counted(throttle) != stored { try count(throttle) }
            throw VaultError(.tooEarly(waitMilliseconds: wait), "too many wrong passphrases; wait \(Self.spoken(wait))")
        }
        throttle.countAttempt(at: now)
        try count(throttle)
        do {
            let result = try body()
            try count(UnlockThrottle())
            return result
        } catch {
            guard case .wrongPassphrase = error.code else { throw error }
            let wait = throttle.wait(at: now)
            let advice = wait == 0 ? "try again" : "wait \(Self.spoken(wait)) and try again"
            throw VaultError(.wrongPassphrase(waitMilliseconds: wait), "the passphrase is wrong; \(advice)")
        }
    }

    func erase() throws(VaultError) {
        try eraseDeviceKey()
        for path in [vault, deviceKey, attempts.path] { try remove(Self.unfinished(path)) }
        for path in [vault, attempts.path] { try remove(path) }
    }

    private func count(_ throttle: UnlockThrottle) throws(VaultError) {
        do { try attempts.write(throttle) } catch { throw Self.failure(error) }
    }

    /// Overwrites it first: it opens old copies of the vault.
    private func eraseDeviceKey() throws(VaultError) {
        do { try AtomicFile.erase(deviceKey) } catch { throw Self.failure(error) }
    }

    private static func spoken(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds + 999) / 1000
        return seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }

    private func read(_ path: String, atMost limit: Int) throws(VaultError) -> [UInt8]? {
        do {
            return try AtomicFile.read(path, atMost: limit)
        } catch {
            if error.code == .missing { return nil }
            throw Self.failure(error)
        }
    }

    private func write(_ bytes: [UInt8], to path: String) throws(VaultError) {
        do { try AtomicFile.write(bytes, to: path, through: Self.unfinished(path)) } catch { throw Self.failure(error) }
    }

    private func remove(_ path: String) throws(VaultError) {
        do { try AtomicFile.remove(path) } catch { throw Self.failure(error) }
    }

    /// The name of a file while it is written.
    private static func unfinished(_ path: String) -> String { path + ".new" }

    private static func failure(_ error: FileError) -> VaultError {
        switch error.code {
        case .tooLong: VaultError(.corrupt, error.message)
        case .full: VaultError(.diskFull, error.message)
        default: VaultError(.failed, error.message)
        }
    }
}
