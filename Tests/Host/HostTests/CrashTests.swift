import AppCore
import Cryptography
import Foundation
import Platform
import ProgramRunner
import Storage
import Testing

@testable import Host

/// A process that changes the passphrase again and again, and seals everything anew after it, is killed at random instants.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct CrashTests {
    private static let kills = 40

    @Test func `the profile opens with the last passphrase or the one on its way, and nothing in it is lost`()
        async throws
    {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        try await place.start()
        let texts = try await place.texts()
        await place.stop()
        let log = URL(fileURLWithPath: place.folder + ".log")
        try Data().write(to: log)
        defer { try? FileManager.default.removeItem(at: log) }
        var random = SystemRandomNumberGenerator()
        for round in 0..<Self.kills {
            let known = try Log(log)
            forgetAttempts(place)
            try await runAndKill(
                [place.folder, log.path] + known.candidates,
                afterMilliseconds: UInt32.random(in: 0...1200, using: &random))
            guard round % 4 == 3 || round == Self.kills - 1 else { continue }
            let now = try Log(log)
            forgetAttempts(place)
            let profile = try Profile(path: place.folder)
            var rest = now.candidates
            if profile.isLocked {
                try await place.until("a passphrase that opens it") { try opens(profile.vault, &rest) }
            }
            for (ref, value) in now.kept { #expect(profile.secret(SecretRef(ref)) == value) }
            #expect(try profile.records().allSatisfy { !$0.json.isEmpty })
            let hasDeviceKey = FileManager.default.fileExists(atPath: place.file("device.key"))
            #expect(hasDeviceKey == !profile.vault.needsPassphrase)
            profile.close()
        }
        let last = try Log(log)
        forgetAttempts(place)
        let host = try await place.start()
        var rest = last.candidates
        if await host.read(\.lock.isLocked) {
            let vault = await host.profile.vault
            try await place.until("a passphrase that opens it") { try opens(vault, &rest) }
            vault.lock()
            let right = try #require(last.candidates.dropLast(last.candidates.count - rest.count).last)
            await host.dispatch(.app(.unlock(passphrase: host.pass(secret: right))))
            try await place.expect("the vault to open") { $0.lock.isLocked ? nil : true }
        }
        #expect(try await place.texts() == texts)
        await place.stop()
    }

    /// On a slow machine every process is killed in an attempt, and the waits that follow would grow for hours.
    private func forgetAttempts(_ place: ProfilePlace) {
        try? FileManager.default.removeItem(atPath: place.file("attempts"))
    }

    /// Tries the last of the candidates that are left. Attempts count, so there may be a wait.
    private func opens(_ vault: Vault, _ candidates: inout [String]) throws -> Bool {
        let passphrase = try #require(candidates.last, "no passphrase opens it")
        do {
            let now = HostConfiguration.systemClock().milliseconds
            try vault.unlock(passphrase: SecretBytes(copying: passphrase.utf8), now: now)
            return true
        } catch {
            if case .wrongPassphrase = error.code { candidates.removeLast() }
            return false
        }
    }

    private func runAndKill(_ words: [String], afterMilliseconds milliseconds: UInt32) async throws {
        let complaints = Pipe()
        let program = try RunningProgram(
            [Program.products.appending(path: "profile-crash-helper").path] + words,
            errors: complaints.fileHandleForWriting)
        try await Task.sleep(for: .milliseconds(milliseconds))
        let endedByItself = !program.isRunning
        program.signal(SIGKILL)
        _ = await program.exitCode()
        try complaints.fileHandleForWriting.close()
        let said = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(!endedByItself && said.isEmpty, "it ended by itself: \(said)")
    }

    /// What the processes said before they were killed.
    private struct Log {
        /// The passphrases that may be the present one, the last one last.
        var candidates: [String] = []
        var kept: [String: String] = [:]
        var changes = 0

        init(_ file: URL) throws {
            let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
            for line in lines {
                let words = line.split(separator: " ").map(String.init)
                switch words.first {
                case "set":
                    changes += 1
                    candidates = [words[1]]
                case "try": candidates.append(words[1])
                case "keep": kept[words[1]] = words[2]
                default: break
                }
            }
        }
    }
}
