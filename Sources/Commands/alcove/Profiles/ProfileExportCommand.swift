import Host
import Storage

/// `alcove profile export`
struct ProfileExportCommand: Command {
    static let name = "profile export"
    static let summary = "write this profile into one sealed file, as a backup or to move to another machine"
    static let usage = "FILE [--move] [--with-files]"
    static let options = [
        ArchiveOptions.profile, ArchiveOptions.passphrase,
        .flag("move", "end this profile here: it goes on where the file is imported"),
        .flag("with-files", "take received files along"),
        ArchiveOptions.json,
    ]
    static let examples = [
        "alcove profile export /media/stick/alcove-2026-11-22.backup",
        "alcove profile export alcove.move --move --with-files",
        "pass show alcove-backup | alcove profile export backup --passphrase-file -",
    ]

    private let arguments: Arguments
    private let file: String

    init(_ arguments: Arguments) throws {
        file = try arguments.operands(1...1, "profile export takes one file")[0]
        self.arguments = arguments
    }

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
    static let name = "profile verify"
    static let summary = "check every byte of an exported profile, and tell what it holds"
    static let usage = "FILE"
    static let options = [ArchiveOptions.passphrase, ArchiveOptions.json]
    static let examples = ["alcove profile verify /media/stick/alcove-2026-11-22.backup"]

    private let arguments: Arguments
    private let file: String

    init(_ arguments: Arguments) throws {
        file = try arguments.operands(1...1, "profile verify takes one file")[0]
        self.arguments = arguments
    }

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
