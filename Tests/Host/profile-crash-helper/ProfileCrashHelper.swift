import AppCore
import Catalogues
import Foundation
import Host

/// Keeps secrets and changes the passphrase of a profile until it is killed: `profile-crash-helper PROFILE LOG PASSPHRASE…`.
///
/// The passphrases are those that may be the present one. The log gets one line for what is about to be tried
/// (`try PASSPHRASE`), for what was acknowledged (`set PASSPHRASE`), and for each secret that is kept (`keep REF VALUE`).
@main struct ProfileCrashHelper {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let log = try FileHandle(forWritingTo: URL(fileURLWithPath: arguments[2]))
        try log.seekToEnd()
        func say(_ line: String) { log.write(Data((line + "\n").utf8)) }
        let host = try AppHost(HostConfiguration(profile: arguments[1]))
        await host.start()
        var present = try await open(host, arguments[3...])
        if let present { say("set \(present)") }
        for number in 0... {
            let value = "value-\(UUID().uuidString)"
            say("keep \(try await host.keep(secret: value)) \(value)")
            let next = "passphrase-\(ProcessInfo.processInfo.processIdentifier)-\(number)"
            say("try \(next)")
            await host.dispatch(
                .app(.setPassphrase(passphrase: host.pass(secret: next), current: present.map(host.pass))))
            let isSet = await host.wait(upTo: .seconds(60)) { state -> Bool? in
                let isUnderWay = state.pendingEffects.byID.values.contains {
                    if case .setPassphrase = $0 { true } else { false }
                }
                return isUnderWay ? nil : state.notices.allSatisfy { $0.kind == .information }
            }
            guard isSet == true else {
                let reasons = await host.wait(upTo: .seconds(1)) { $0.notices.map(\.sentence) } ?? []
                throw Failure(.other, "the passphrase was not changed: \(reasons)")
            }
            say("set \(next)")
            present = next
            // So many changes are possible in one process.
            if number == 12 { try await Task.sleep(for: .seconds(60)) }
        }
    }

    /// The passphrase that opened the profile; nil if there is none.
    private static func open(_ host: AppHost, _ candidates: ArraySlice<String>) async throws -> String? {
        guard await host.read(\.lock.isLocked) else { return nil }
        // Attempts of the processes before count, so there may be a wait.
        for passphrase in Array(repeating: Array(candidates.reversed()), count: 20).joined() {
            await host.dispatch(.app(.unlock(passphrase: host.pass(secret: passphrase))))
            _ = await host.wait(upTo: .seconds(60)) { $0.lock.attempt == nil && $0.lock.retryAt == nil ? true : nil }
            if await !host.read(\.lock.isLocked) { return passphrase }
        }
        throw Failure(.passphraseWrong)
    }
}
