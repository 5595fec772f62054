import Cryptography
import Foundation
import Host
import Storage
import Synchronization

/// What the commands for whole profiles have in common.
enum ArchiveOptions {
    static let profile = ProfileOptions.profile
    static let passphrase = Arguments.Option.value(
        "passphrase-file", "FILE",
        "read the passphrase of the archive from the first line of this file instead of asking; it may be a pipe, /dev/fd/N, or - for standard input"
    )
    static let json = Arguments.Option.flag("json", "print what the archive holds as one JSON object")

    static func path(_ arguments: Arguments) -> String { arguments["profile"] ?? ProfileDirectory.standardPath }

    /// The passphrase of an archive that is there.
    static func passphrase(_ arguments: Arguments) throws -> SecretBytes {
        let text = try PassphrasePrompt.ask("Passphrase of the archive", file: arguments["passphrase-file"])
        return SecretBytes(copying: text.utf8)
    }

    /// The passphrase of a new one: typed twice, or read.
    static func newPassphrase(_ arguments: Arguments) throws -> SecretBytes {
        let file = arguments["passphrase-file"]
        let text = try PassphrasePrompt.ask("New passphrase for the archive", file: file)
        guard !text.isEmpty else { throw CommandFailure("a passphrase cannot be empty", .dataError) }
        if let weakness = PassphraseWeakness(of: text) {
            Terminal.complain(of: "this passphrase is easy to guess: \(weakness.sentence)")
        }
        if file == nil, try PassphrasePrompt.ask("Once more", file: nil) != text {
            throw CommandFailure("the two are not the same; nothing was written", .dataError)
        }
        return SecretBytes(copying: text.utf8)
    }

    /// Says every few seconds on standard error how far it is, if a person looks; gives it up when a signal asks to end.
    static func progress(_ verb: String, _ signals: Signals) -> ProfileArchive.Progress {
        let isShown = Terminal.showsProgress
        let last = Mutex(ContinuousClock.now)
        return { amount, size in
            guard isShown else { return !signals.haveCome }
            last.withLock { last in
                guard ContinuousClock.now - last > .seconds(3) else { return }
                last = .now
                let share = size > 0 ? " (\(amount.archiveBytes * 100 / size) %)" : ""
                Terminal.log("\(verb) \(megabytes(amount.archiveBytes)), \(amount.entries) files and folders\(share)")
            }
            return !signals.haveCome
        }
    }

    static func megabytes(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\((bytes + 999) / 1000) kB" : String(format: "%.1f MB", Double(bytes) / 1_000_000)
    }

    /// What a person reads about what is in an archive.
    static func contents(_ result: ProfileArchive.Result) -> String {
        let summary = result.summary
        let counts = [
            count(summary.rooms, "room"), count(summary.messages, "message"),
            count(summary.people, "person", "people"), count(summary.notes, "note"), count(summary.apps, "app"),
        ]
        let left = result.amount.leftOut
        let lines = [
            "It holds \(counts.joined(separator: ", "))"
                + (summary.hasFiles ? ", and received files." : "; no received files."),
            left > 0
                ? "Left out: \(count(Int(clamping: left), "thing")) that cannot be kept, such as links and sockets."
                : nil,
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(number) \(number == 1 ? one : many ?? one + "s")"
    }

    /// When an archive was written, as a person says it.
    static func written(_ summary: ProfileArchive.Summary) -> String {
        let date = Date(timeIntervalSince1970: Double(summary.made) / 1000)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter.string(from: date)
    }
}

/// What `--json` prints of an archive.
struct ArchiveReport: Encodable {
    var file: String
    var made: ISOTime
    var program: String
    var move: Bool
    var files: Bool
    var passphrase: Bool
    var rooms: Int
    var messages: Int
    var people: Int
    var notes: Int
    var apps: Int
    var entries: UInt64
    var bytes: UInt64
    var archiveBytes: Int64
    var leftOut: UInt64

    init(_ file: String, _ result: ProfileArchive.Result) {
        let (summary, amount) = (result.summary, result.amount)
        self.file = file
        made = ISOTime(summary.made)
        (program, move, files) = (summary.program, summary.isMove, summary.hasFiles)
        passphrase = summary.hasPassphrase
        (rooms, messages, people) = (summary.rooms, summary.messages, summary.people)
        (notes, apps) = (summary.notes, summary.apps)
        (entries, bytes) = (amount.entries, amount.fileBytes)
        (archiveBytes, leftOut) = (amount.archiveBytes, amount.leftOut)
    }
}

extension CommandFailure {
    init(_ error: ProfileArchiveError) {
        let code: ExitCode =
            switch error.code {
            case .noProfile: .noInput
            case .inUse, .diskFull: .temporaryFailure
            case .notEmpty: .cannotCreate
            case .notAnArchive, .otherVersion, .damaged: .dataError
            case .wrongPassphrase: .noPermission
            case .failed: .inputOutput
            }
        self.init(error.message, code)
    }
}
