import Host

/// `alcove profile import`
struct ProfileImportCommand: Command {
    static let reference = CommandReference(
        "profile import", "FILE",
        "restore an exported profile where there is none",
        takes: .one("profile import takes one file"),
        options: [ArchiveOptions.profile, ArchiveOptions.passphrase, ArchiveOptions.json],
        examples: [
            "alcove profile import /media/stick/alcove-2026-11-22.backup",
            "alcove profile import backup --profile ~/restored",
        ])

    let arguments: Arguments
    private var file: String { arguments.operands[0] }

    func run() async throws {
        let signals = await Signals()
        let path = ArchiveOptions.path(arguments)
        let passphrase = try ArchiveOptions.passphrase(arguments)
        let result: ProfileArchive.Result
        do {
            result = try ProfileArchive.restore(
                file, to: path, passphrase: passphrase, progress: ArchiveOptions.progress("read", signals))
        } catch { throw CommandFailure(error) }
        if arguments.has("json") { return try Terminal.print(json: ArchiveReport(file, result)) }
        Terminal.print(
            .line("Restored in \(path), as it was on \(ArchiveOptions.written(result.summary))."))
        Terminal.print(.text(ArchiveOptions.contents(result)))
        Terminal.print(.text(Self.advice(result.summary)))
    }

    private static func advice(_ summary: ProfileArchive.Summary) -> String {
        let keys = "You can write to each person again as soon as you have met: both get new keys then."
        let passphrase =
            summary.hasPassphrase ? "\nIt opens with the profile's own passphrase, not with that of the file." : ""
        guard !summary.isMove else { return keys + passphrase }
        return """
            \(keys)\(passphrase)
            If the profile that this is a copy of is still in use, use only one of the two.
            Whoever you have revoked since then you have to revoke again: alcove circle revoke NAME
            """
    }
}
