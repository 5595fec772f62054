import AppCore
import Foundation
import Host

/// Asks for a passphrase on the terminal without showing it, or reads it from a file.
enum PassphrasePrompt {
    static let options: [Arguments.Option] = [
        .value("passphrase-file", "FILE", "read the passphrase from the first line of this file instead of asking")
    ]

    static func ask(_ question: String, file: String?) throws(CommandFailure) -> String {
        if let file {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw CommandFailure("\(file) cannot be read", .noInput)
            }
            return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
        }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure("this profile needs a passphrase; say --passphrase-file FILE", .noPermission)
        }
        guard let typed = getpass(question + ": ") else { throw CommandFailure("nothing was typed", .noInput) }
        return String(cString: typed)
    }
}

/// `alcove passphrase set`
struct PassphraseSetCommand: Command {
    static let name = "passphrase set"
    static let summary = "protect this profile with a passphrase, or change it"
    static let usage = "[--new-passphrase-file FILE]"
    static let options =
        ProfileOptions.all + [.value("new-passphrase-file", "FILE", "read the new passphrase from this file")]
    static let examples = ["alcove passphrase set"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "passphrase set takes only options")
        self.arguments = arguments
    }

    func run() async throws {
        let new = try PassphrasePrompt.ask("New passphrase", file: arguments["new-passphrase-file"])
        guard !new.isEmpty else { throw CommandFailure("a passphrase cannot be empty", .dataError) }
        if arguments["new-passphrase-file"] == nil, try PassphrasePrompt.ask("Once more", file: nil) != new {
            throw CommandFailure("the two are not the same; nothing was changed", .dataError)
        }
        try await PassphraseChange(arguments: arguments).apply(new)
    }
}

/// `alcove passphrase remove`
struct PassphraseRemoveCommand: Command {
    static let name = "passphrase remove"
    static let summary = "open this profile without a passphrase again"
    static let usage = ""
    static let options = ProfileOptions.all
    static let examples = ["alcove passphrase remove"]

    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        _ = try arguments.operands(0...0, "passphrase remove takes only options")
        self.arguments = arguments
    }

    func run() async throws { try await PassphraseChange(arguments: arguments).apply(nil) }
}

/// Gives the core a new passphrase, or none, and waits until the vault has it.
private struct PassphraseChange {
    let arguments: Arguments

    func apply(_ new: String?) async throws {
        let (host, current) = try await ProfileOptions.openedHost(arguments)
        let before = await host.read { $0.notices.last?.id }
        await host.dispatch(
            .app(.setPassphrase(passphrase: new.map(host.pass), current: current.map(host.pass))))
        let answer = await host.wait(upTo: .seconds(60)) { state in
            state.notices.last.flatMap { $0.id == before ? nil : $0 }
        }
        await host.stop()
        guard let answer else { throw CommandFailure("the passphrase was not changed in time", .temporaryFailure) }
        guard answer.kind == .information else { throw CommandFailure(answer.text, .noPermission) }
        Terminal.print(answer.text)
    }
}
