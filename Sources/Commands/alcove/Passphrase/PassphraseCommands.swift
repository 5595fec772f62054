import AppCore
import Catalogues
import Foundation
import Host

/// `alcove passphrase set`
struct PassphraseSetCommand: ReportingCommand {
    static let reference = CommandReference(
        "passphrase set", "[--new-passphrase-file FILE]",
        "protect this profile with a passphrase, or change it",
        options: ProfileOptions.all + [
            .value(
                "new-passphrase-file", "FILE",
                "read the new passphrase from this file; - is standard input, after the present one")
        ],
        examples: [
            "alcove passphrase set", "pass show alcove | alcove passphrase set --new-passphrase-file -",
        ])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        try await PassphraseChange(arguments: arguments).apply { try new() }
    }

    /// The new passphrase: typed twice, or read. One that is easy to guess is taken, because only the person knows what it
    /// has to withstand.
    private func new() throws -> String {
        let file = arguments["new-passphrase-file"]
        let new = try PassphrasePrompt.ask("New passphrase", file: file, option: "new-passphrase-file")
        guard !new.isEmpty else { throw CommandFailure("a passphrase cannot be empty", .dataError) }
        if let weakness = PassphraseWeakness(of: new) {
            Terminal.complain(of: "this passphrase is easy to guess: \(weakness.sentence)")
        }
        if file == nil, try PassphrasePrompt.ask("Once more", file: nil) != new {
            throw CommandFailure("the two are not the same; nothing was changed", .dataError)
        }
        return new
    }
}

/// `alcove passphrase remove`
struct PassphraseRemoveCommand: ReportingCommand {
    static let reference = CommandReference(
        "passphrase remove", "",
        "open this profile without a passphrase again",
        options: ProfileOptions.all,
        examples: ["alcove passphrase remove"])

    let arguments: Arguments

    func result() async throws -> CommandResult {
        try await PassphraseChange(arguments: arguments).apply { nil }
    }
}

/// Gives the core a new passphrase, or none, and waits until the vault has it.
private struct PassphraseChange {
    let arguments: Arguments

    /// The host that holds the profile, and the present passphrase.
    private func opened() async throws -> (host: any ProfileHost, passphrase: String?) {
        guard let host = try await ProfileOptions.hostProcess(arguments) else {
            return try await ProfileOptions.openedHost(arguments)
        }
        do {
            if let passphrase = try await ProfileOptions.unlock(host, arguments) { return (host, passphrase) }
            guard await host.read(\.settings.hasPassphrase) else { return (host, nil) }
            return (host, try PassphrasePrompt.ask("Passphrase", file: arguments["passphrase-file"]))
        } catch {
            await host.stop()
            throw error
        }
    }

    private func held(_ passphrase: String?, by host: any ProfileHost) async throws -> SecretRef? {
        guard let passphrase else { return nil }
        return try await host.hold(secret: passphrase)
    }

    /// - Parameter ask: gives the new one, after the present one has opened the profile.
    func apply(_ ask: () throws -> String?) async throws -> CommandResult {
        let (host, current) = try await opened()
        let new: String?
        do { new = try ask() } catch {
            await host.stop()
            throw error
        }
        let before = await host.read { $0.notices.last?.id }
        await host.dispatch(
            .app(
                .setPassphrase(
                    passphrase: try await held(new, by: host), current: try await held(current, by: host))))
        let answer = await host.wait(upTo: .seconds(60)) { state in
            state.notices.last.flatMap { $0.id == before ? nil : $0 }
        }
        await host.stop()
        guard let answer else { throw CommandFailure("the passphrase was not changed in time", .temporaryFailure) }
        guard answer.kind == .information else { throw ProfileOptions.openingFailure(answer.sentence) }
        return CommandResult(.line(answer.sentence), json: ["passphrase": .bool(new != nil)])
    }
}
