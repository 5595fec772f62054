import Cryptography
import Storage
import Testing

/// Every change of protection adds a key that an old copy of the files does not reveal.
@Suite("Keys of a vault")
struct VaultKeyTests {
    private let folder: TemporaryFolder
    private let old: TemporaryFolder
    private let cheap: Scrypt.Cost
    private let one = SecretBytes(copying: "one horse".utf8)
    private let two = SecretBytes(copying: "two horses".utf8)

    init() throws {
        folder = try TemporaryFolder()
        old = try TemporaryFolder()
        cheap = try Scrypt.Cost(logN: 10, r: 1, p: 1)
    }

    /// An old copy of the files of the vault.
    private func copy() throws {
        for name in ["vault", "device.key"] where try folder.contents().contains(name) {
            try AtomicFile.write(AtomicFile.read(folder.path(of: name), atMost: 4096), to: old.path(of: name))
        }
    }

    @Test("What is sealed after a passphrase was set does not open with an old copy of vault and device key")
    func oldCopy() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        try copy()
        let before = try vault.seal([1], context: "x")
        try vault.changeProtection(to: .passphrase(one), cost: cheap)
        let after = try vault.seal([2], context: "x")
        let thief = try Vault(in: old.path)
        try thief.unlock()
        #expect(try thief.open(before, context: "x") == [1])
        #expect(throws: VaultError.self) { try thief.open(after, context: "x") }
        #expect(vault.needsResealing(before) && !vault.needsResealing(after))
        #expect(try vault.open(before, context: "x") == [1] && vault.open(after, context: "x") == [2])
    }

    @Test("The same holds for another passphrase, and for the way back to a device key")
    func everyChange() throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(one), cost: cheap)
        try copy()
        try vault.changeProtection(to: .passphrase(two), current: one, cost: cheap)
        let second = try vault.seal([2], context: "x")
        try vault.changeProtection(to: .deviceKey, current: two)
        let third = try vault.seal([3], context: "x")
        let thief = try Vault(in: old.path)
        try thief.unlock(passphrase: one, now: 0)
        for sealed in [second, third] { #expect(throws: VaultError.self) { try thief.open(sealed, context: "x") } }
        let reopened = try Vault(in: folder.path)
        try reopened.unlock()
        #expect(try reopened.open(second, context: "x") == [2] && reopened.open(third, context: "x") == [3])
        #expect(reopened.generation == 3)
    }

    @Test("Old keys are dropped by the process after the one that changed the protection, and open nothing after that")
    func retiring() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        let before = try vault.seal([1], context: "x")
        try vault.changeProtection(to: .passphrase(one), cost: cheap)
        // This process may still hold bytes that the old key sealed.
        #expect(try !vault.retireOldKeys() && vault.holdsOldKeys)
        let next = try Vault(in: folder.path)
        try next.unlock(passphrase: one, now: 0)
        let after = try next.seal(next.open(before, context: "x"), context: "x")
        #expect(try next.retireOldKeys() && !next.holdsOldKeys)
        // Somebody may have read it just before it was sealed anew.
        #expect(try next.open(before, context: "x") == [1])
        try next.unlock(passphrase: one, now: 0)
        try next.changeProtection(to: .passphrase(two), current: one, cost: cheap)
        #expect(try next.open(before, context: "x") == [1])
        next.lock()
        try next.unlock(passphrase: two, now: 0)
        #expect(throws: VaultError.self) { try next.open(before, context: "x") }
        let last = try Vault(in: folder.path)
        try last.unlock(passphrase: two, now: 0)
        #expect(try last.open(after, context: "x") == [1])
        #expect(throws: VaultError.self) { try last.open(before, context: "x") }
        #expect(try last.retireOldKeys())
    }

    @Test("A process that changed the protection retires the keys from before it, not those it may have sealed with")
    func retiringWhatWasBefore() throws {
        var sealed: [[UInt8]] = []
        let first = try Vault.create(in: folder.path, protection: .deviceKey)
        for number in 0..<15 as Range<UInt8> {
            sealed.append(try first.seal([number], context: "x"))
            try first.changeProtection(to: .deviceKey)
        }
        #expect(first.isFull)
        let second = try Vault(in: folder.path)
        try second.unlock()
        #expect(second.isFull)
        let error = #expect(throws: VaultError.self) { try second.changeProtection(to: .deviceKey) }
        #expect(error?.code == .tooManyKeys)
        let own = try second.seal([99], context: "x")
        #expect(try second.retireOldKeys())
        for _ in 1...2 { try second.changeProtection(to: .deviceKey) }
        #expect(try !second.retireOldKeys() && second.holdsOldKeys && !second.isFull)
        let third = try Vault(in: folder.path)
        try third.unlock()
        #expect(try third.open(own, context: "x") == [99])
        for sealed in sealed { #expect(throws: VaultError.self) { try third.open(sealed, context: "x") } }
        #expect(try third.retireOldKeys())
    }

    @Test("A lock during a change of the passphrase is not undone, and the change counts")
    func lockDuringChange() async throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(one), cost: cheap)
        // The change takes a while, in which the lock comes.
        let slow = try Scrypt.Cost(logN: 17, r: 8, p: 1)
        let (one, two) = (one, two)
        let before = try AtomicFile.read(folder.path(of: "attempts"), atMost: 1 << 16)
        let change = Task.detached { try vault.changeProtection(to: .passphrase(two), current: one, cost: slow) }
        while try AtomicFile.read(folder.path(of: "attempts"), atMost: 1 << 16) == before, !change.isCancelled {
            if try Vault(in: folder.path).generation > 1 { break }
            await Task.yield()
        }
        vault.lock()
        try await change.value
        #expect(vault.isLocked)
        try vault.unlock(passphrase: two, now: 0)
    }

    @Test("A vault of version 1 and its sealed bytes open; its first change makes it version 2")
    func firstVersion() throws {
        // Made by the program before keys had generations: the device key is 32 times 7.
        try AtomicFile.write([UInt8](repeating: 7, count: 32), to: folder.path(of: "device.key"))
        try AtomicFile.write(Self.firstVault, to: folder.path(of: "vault"))
        let vault = try Vault(in: folder.path)
        try vault.unlock()
        #expect(vault.generation == 0)
        let key = SecretBytes(copying: [UInt8](repeating: 9, count: 32))
        let sealed = [1] + (try AESGCM.seal([5], key: key, context: Array("alcove vault 1\0x".utf8)))
        #expect(try vault.open(sealed, context: "x") == [5])
        try vault.changeProtection(to: .passphrase(one), cost: cheap)
        let next = try Vault(in: folder.path)
        try next.unlock(passphrase: one, now: 0)
        #expect(try next.generation == 1 && next.open(sealed, context: "x") == [5])
    }

    /// A vault file of version 1 whose key is 32 times 9.
    private static let firstVault: [UInt8] = {
        let body = Array("ALCOVE V".utf8) + [1, 0, 0, 0, 0] + [UInt8](repeating: 3, count: 16)
        let wrapping = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let key = SecretBytes(copying: [UInt8](repeating: 9, count: 32))
        let whole = body + ((try? AESGCM.seal(key, key: wrapping, context: body)) ?? [])
        return whole + HashFunction.sha256.digest(whole).prefix(8)
    }()

    @Test("A device key that a killed process left beside a passphrase is removed, with what it was writing")
    func leftovers() throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(one), cost: cheap)
        let header = try AtomicFile.read(folder.path(of: "vault"), atMost: 4096)
        try vault.changeProtection(to: .deviceKey, current: one)
        let unprotected = try AtomicFile.read(folder.path(of: "vault"), atMost: 4096)
        // As if it had been killed before the vault was replaced.
        try AtomicFile.write(header, to: folder.path(of: "vault"))
        try AtomicFile.write(unprotected, to: folder.path(of: "vault.new"))
        _ = try Vault(in: folder.path)
        #expect(try folder.contents() == ["attempts", "vault"])
    }

    @Test("Too many changes in one process are refused with a sentence, and nothing is lost")
    func manyChanges() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        let sealed = try vault.seal([1], context: "x")
        for _ in 1..<16 { try vault.changeProtection(to: .deviceKey) }
        let error = #expect(throws: VaultError.self) { try vault.changeProtection(to: .deviceKey) }
        #expect(error?.code == .tooManyKeys && error?.message.contains("start again") == true)
        let next = try Vault(in: folder.path)
        try next.unlock()
        #expect(try next.open(sealed, context: "x") == [1])
        #expect(try next.retireOldKeys())
        try next.changeProtection(to: .deviceKey)
    }
}
