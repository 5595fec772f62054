import Cryptography
import Foundation
import Storage
import Testing

@Suite("Vault")
struct VaultTests {
    private let folder: TemporaryFolder
    private let cheap: Scrypt.Cost
    private let right = SecretBytes(copying: "correct horse".utf8)
    private let wrong = SecretBytes(copying: "battery staple".utf8)

    init() throws {
        folder = try TemporaryFolder()
        cheap = try Scrypt.Cost(logN: 10, r: 1, p: 1)
    }

    @Test("Bytes that a device-key vault sealed are opened after a restart")
    func deviceKey() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        let sealed = try vault.seal([1, 2, 3], context: "room/1")
        let reopened = try Vault(in: folder.path)
        #expect(reopened.isLocked && !reopened.needsPassphrase)
        try reopened.unlock()
        #expect(try reopened.open(sealed, context: "room/1") == [1, 2, 3])
        #expect(try folder.contents() == ["device.key", "vault"])
        #expect(try folder.permissions(of: "device.key") == 0o600)
        #expect(try folder.permissions(of: "vault") == 0o600)
    }

    @Test("A passphrase vault opens for its passphrase only, and never writes it down")
    func passphrase() throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        let sealed = try vault.seal([4], context: "x")
        let reopened = try Vault(in: folder.path)
        #expect(reopened.needsPassphrase)
        #expect(code { try reopened.unlock() } == .otherProtection)
        #expect(code { try reopened.unlock(passphrase: wrong, now: 0) } == .wrongPassphrase(waitMilliseconds: 0))
        #expect(reopened.isLocked)
        try reopened.unlock(passphrase: right, now: 0)
        #expect(try reopened.open(sealed, context: "x") == [4])
        #expect(try folder.contents() == ["attempts", "vault"])
    }

    @Test("A locked vault does nothing")
    func locking() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        let sealed = try vault.seal([1], context: "x")
        vault.lock()
        #expect(vault.isLocked)
        #expect(code { try vault.open(sealed, context: "x") } == .locked)
        #expect(code { try vault.seal([1], context: "x") } == .locked)
        #expect(code { try vault.changeProtection(to: .deviceKey) } == .locked)
    }

    @Test("Sealed bytes are bound to their context and vault, and every change is noticed")
    func authenticity() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        let sealed = try vault.seal([1, 2], context: "a")
        #expect(code { try vault.open(sealed, context: "b") } == .notAuthentic)
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 0x80
            #expect(code { try vault.open(altered, context: "a") } == .notAuthentic)
        }
        #expect(code { try vault.open([], context: "a") } == .notAuthentic)
        let other = try TemporaryFolder()
        let stranger = try Vault.create(in: other.path, protection: .deviceKey)
        #expect(code { try stranger.open(sealed, context: "a") } == .notAuthentic)
    }

    @Test("A new passphrase does not affect sealed bytes, and ends the old one")
    func changePassphrase() throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(wrong), cost: cheap)
        let sealed = try vault.seal([9], context: "x")
        #expect(code { try vault.changeProtection(to: .passphrase(right), cost: cheap) } == .currentPassphraseNeeded)
        try vault.changeProtection(to: .passphrase(right), current: wrong, cost: cheap)
        let reopened = try Vault(in: folder.path)
        #expect(code { try reopened.unlock(passphrase: wrong, now: 0) } == .wrongPassphrase(waitMilliseconds: 0))
        try reopened.unlock(passphrase: right, now: 0)
        #expect(try reopened.open(sealed, context: "x") == [9])
    }

    @Test("From device key to passphrase and back: the device key is gone, then there is a new one")
    func changeKind() throws {
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        let sealed = try vault.seal([9], context: "x")
        let firstKey = try AtomicFile.read(folder.path(of: "device.key"), atMost: 100)
        try vault.changeProtection(to: .passphrase(right), cost: cheap)
        #expect(try folder.contents() == ["attempts", "vault"])
        try vault.changeProtection(to: .deviceKey, current: right)
        #expect(try AtomicFile.read(folder.path(of: "device.key"), atMost: 100) != firstKey)
        let reopened = try Vault(in: folder.path)
        try reopened.unlock()
        #expect(try reopened.open(sealed, context: "x") == [9])
    }

    @Test("The wait grows with each wrong attempt, across restarts, and the right passphrase ends it")
    func delay() throws {
        _ = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        var now: Int64 = 1_000_000
        for expected in [0, 0, 2000, 4000, 8000] as [Int64] {
            let vault = try Vault(in: folder.path)
            #expect(
                code { try vault.unlock(passphrase: wrong, now: now) } == .wrongPassphrase(waitMilliseconds: expected))
            now += expected
        }
        let vault = try Vault(in: folder.path)
        #expect(code { try vault.unlock(passphrase: right, now: now - 1) } == .tooEarly(waitMilliseconds: 1))
        try vault.unlock(passphrase: right, now: now)
        #expect(code { try vault.unlock(passphrase: wrong, now: now) } == .wrongPassphrase(waitMilliseconds: 0))
    }

    @Test("Putting the clock back starts the wait again instead of ending it")
    func clock() throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        for _ in 0..<3 { _ = code { try vault.unlock(passphrase: wrong, now: 10_000_000) } }
        #expect(code { try vault.unlock(passphrase: right, now: 5000) } == .tooEarly(waitMilliseconds: 2000))
        #expect(code { try vault.unlock(passphrase: right, now: 6000) } == .tooEarly(waitMilliseconds: 1000))
        try vault.unlock(passphrase: right, now: 7000)
    }

    @Test("A damaged count of attempts causes a wait, and then allows attempts")
    func damagedAttempts() throws {
        let vault = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        try AtomicFile.write([1, 2, 3], to: folder.path(of: "attempts"))
        #expect(code { try vault.unlock(passphrase: right, now: 1000) } == .tooEarly(waitMilliseconds: 64_000))
        try vault.unlock(passphrase: right, now: 65_000)
    }

    @Test("Attempts are counted in place, in a file of constant size")
    func attemptsInPlace() throws {
        _ = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        let file = try file("attempts")
        for now in [0, 0, 0] as [Int64] {
            _ = code { try Vault(in: folder.path).unlock(passphrase: wrong, now: now) }
            #expect(try self.file("attempts") == file)
        }
        try Vault(in: folder.path).unlock(passphrase: right, now: 2000)
        #expect(try self.file("attempts") == file)
    }

    @Test("A torn count neither locks out nor gains attempts", arguments: [[0], [1], [0, 1]])
    func tornAttempts(torn: [Int]) throws {
        _ = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        let path = folder.path(of: "attempts")
        for _ in 0..<3 { _ = code { try Vault(in: folder.path).unlock(passphrase: wrong, now: 1000) } }
        var bytes = try AtomicFile.read(path, atMost: 1 << 16)
        #expect(bytes.count == 8192)
        // The slot with the greater number has the last one.
        let newest = bytes[0..<8].lexicographicallyPrecedes(bytes[4096..<4104]) ? 1 : 0
        for age in torn { bytes[(age == 1 ? newest : 1 - newest) * 4096 + 12] ^= 1 }
        try AtomicFile.write(bytes, to: path)
        let vault = try Vault(in: folder.path)
        switch torn {
        case [0]: #expect(code { try vault.unlock(passphrase: right, now: 1000) } == .tooEarly(waitMilliseconds: 2000))
        case [1]:
            #expect(
                code { try vault.unlock(passphrase: wrong, now: 1000) } == .wrongPassphrase(waitMilliseconds: 2000))
        default: #expect(code { try vault.unlock(passphrase: right, now: 1000) } == .tooEarly(waitMilliseconds: 64_000))
        }
        try vault.unlock(passphrase: right, now: 65_000)
    }

    @Test("A count of an earlier version goes on in the file with slots")
    func earlierAttempts() throws {
        _ = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        // Version, five failures, at 1000.
        try AtomicFile.write([1, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 3, 232], to: folder.path(of: "attempts"))
        let vault = try Vault(in: folder.path)
        #expect(try AtomicFile.read(folder.path(of: "attempts"), atMost: 1 << 16).count == 8192)
        #expect(code { try vault.unlock(passphrase: right, now: 1000) } == .tooEarly(waitMilliseconds: 8000))
        try vault.unlock(passphrase: right, now: 9000)
    }

    /// The number of a file on its disk, and its size.
    private func file(_ name: String) throws -> [Int] {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: name))
        return [attributes[.systemFileNumber], attributes[.size]].compactMap { ($0 as? NSNumber)?.intValue }
    }

    @Test("A damaged vault is distinguished from a wrong passphrase, and is not changed")
    func damage() throws {
        _ = try Vault.create(in: folder.path, protection: .passphrase(right), cost: cheap)
        let path = folder.path(of: "vault")
        let bytes = try AtomicFile.read(path, atMost: 1000)
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            try AtomicFile.write(altered, to: path)
            #expect(code { try Vault(in: folder.path) } == .corrupt)
            #expect(code { try Vault.create(in: folder.path, protection: .deviceKey) } == .corrupt)
            #expect(try AtomicFile.read(path, atMost: 1000) == altered)
        }
        for length in [0, 1, 20, bytes.count - 1] {
            try AtomicFile.write(Array(bytes.prefix(length)), to: path)
            #expect(code { try Vault(in: folder.path) } == .corrupt)
        }
        try AtomicFile.write(bytes, to: path)
        try Vault(in: folder.path).unlock(passphrase: right, now: 0)
    }

    @Test("A missing, foreign and exposed device key give different errors")
    func badDeviceKey() throws {
        _ = try Vault.create(in: folder.path, protection: .deviceKey)
        let path = folder.path(of: "device.key")
        let key = try AtomicFile.read(path, atMost: 100)
        let vault = try Vault(in: folder.path)
        try folder.setPermissions(0o640, of: "device.key")
        #expect(code { try vault.unlock() } == .deviceKeyExposed)
        try AtomicFile.write([UInt8](repeating: 1, count: 32), to: path)
        #expect(code { try vault.unlock() } == .deviceKeyUnusable)
        try AtomicFile.remove(path)
        #expect(code { try vault.unlock() } == .deviceKeyUnusable)
        try AtomicFile.write(key, to: path)
        try vault.unlock()
    }

    @Test("Creating twice, opening nothing, empty passphrases and erasing")
    func edges() throws {
        #expect(code { try Vault(in: folder.path) } == .missing)
        #expect(
            code { try Vault.create(in: folder.path, protection: .passphrase(SecretBytes(copying: [])), cost: cheap) }
                == .failed)
        let vault = try Vault.create(in: folder.path, protection: .deviceKey)
        #expect(code { try Vault.create(in: folder.path, protection: .deviceKey) } == .alreadyExists)
        try vault.erase()
        #expect(try folder.contents().isEmpty)
        #expect(vault.isLocked)
    }

    /// The code of the vault error that `body` throws, or nil.
    private func code<Result>(_ body: () throws -> Result) -> VaultError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? VaultError)?.code
        }
    }
}
