import Host
import Storage

/// `alcove profile export`
struct ProfileExportCommand: Command {
    static let reference = CommandReference(
        "profile export", "FILE [--move] [--with-files]",
        "write this profile into one sealed file, as a backup or to move to another machine",
        takes: .one("profile export takes one file"),
        options: [
            ArchiveOptions.profile, ArchiveOptions.passphrase,
            .flag("move", "end this profile here: it goes on where the file is imported"),
            .flag("with-files", "take received files along"),
            ArchiveOptions.json,
        ],
        examples: [
            "alcove profile export /media/stick/alcove-2026-11-22.backup",
            "alcove profile export alcove.move --move --with-files",
            "pass show alcove-backup | alcove profile export backup --passphrase-file -",
        ])

    let arguments: Arguments
    private var file: String { arguments.operands[0] }

    func run() async throws {
        let signals = await Signals()
        let isMove = arguments.has("move")
        let passphrase = try ArchiveOptions.newPassphrase(arguments)
        let result: ProfileArchive.Result
        do {
            result = try ProfileArchive.export(
                profile: ArchiveOptions.path(arguments), to: file, passphrase: passphrase,
                hasFiles: arguments.has("with-files"), isMove: isMove,
                progress: ArchiveOptions.progress("wrote", signals))
        } catch { throw CommandFailure(error) }
        if arguments.has("json") { return try Terminal.print(json: ArchiveReport(file, result)) }
        Terminal.print(
            .line("\(file): \(ArchiveOptions.megabytes(result.amount.archiveBytes)), readable by you alone."))
        Terminal.print(.text(ArchiveOptions.contents(result)))
        let next =
            isMove
            ? "This profile has ended here. On the other machine:  alcove profile import FILE"
            : "Without its passphrase nobody opens it, and you neither. Check it:  alcove profile verify FILE"
        Terminal.print(.line(next))
    }
}

/// `alcove profile verify`
struct ProfileVerifyCommand: Command {
    static let reference = CommandReference(
        "profile verify", "FILE",
        "check every byte of an exported profile, and tell what it holds",
        takes: .one("profile verify takes one file"),
        options: [ArchiveOptions.passphrase, ArchiveOptions.json],
        examples: ["alcove profile verify /media/stick/alcove-2026-11-22.backup"])

    let arguments: Arguments
    private var file: String { arguments.operands[0] }

    func run() async throws {
        let signals = await Signals()
        let passphrase = try ArchiveOptions.passphrase(arguments)
        let result: ProfileArchive.Result
        do {
            result = try ProfileArchive.verify(
                file, passphrase: passphrase, progress: ArchiveOptions.progress("read", signals))
        } catch { throw CommandFailure(error) }
        if arguments.has("json") { return try Terminal.print(json: ArchiveReport(file, result)) }
        let kind = result.summary.isMove ? "a profile that was moved" : "a backup"
        Terminal.print(
            .line("\(file) is whole: \(kind), written \(ArchiveOptions.written(result.summary))."))
        Terminal.print(.text(ArchiveOptions.contents(result)))
    }
}
