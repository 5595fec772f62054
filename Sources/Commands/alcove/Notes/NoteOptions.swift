import Foundation
import Host
import Notes
import Wire

/// The options that every command about notes takes, and the library they describe.
///
/// These commands need no passphrase and no host: notes are plain files in a folder. Several commands may run at once.
enum NoteOptions {
    static let all = place + [ProfileOptions.profile]

    /// Where the notes are, and who writes.
    static let place: [Arguments.Option] = [
        .value("dir", "DIR", "the folder of the notes, for example one that is synced (default: Notes in the profile)"),
        .value("as", "NAME", "the name that others see beside what you write (default: your login name)"),
    ]

    static let json = Arguments.Option.flag("json", "print JSON")

    /// Lends the library that the options describe, and closes it whatever happens.
    /// - Parameters:
    ///   - watches: whether changes of others are wanted as they come.
    ///   - person: who writes, unless the command line says so.
    ///   - creates: whether the folder is made if it is missing. The one in the profile always is.
    static func withLibrary<Value>(
        _ arguments: Arguments, watches: Bool = false, person: String? = nil, creates: Bool = false,
        _ body: (NoteLibrary) async throws -> Value
    ) async throws -> Value {
        do {
            let library = try await open(arguments, watches: watches, person: person, creates: creates)
            let result: Result<Value, any Error>
            do { result = .success(try await body(library)) } catch { result = .failure(error) }
            let unwritten = await library.close()
            let value = try result.get()
            if let unwritten { throw unwritten }
            return value
        } catch let failure as NoteFailure {
            throw CommandFailure(failure)
        }
    }

    private static func open(
        _ arguments: Arguments, watches: Bool, person: String?, creates: Bool
    ) async throws -> NoteLibrary {
        // An empty one would be the folder that the shell is in.
        for option in ["dir", "profile"] where arguments[option]?.isEmpty == true {
            throw UsageError("--\(option) names no folder")
        }
        let profile: ProfileDirectory
        do {
            profile = try ProfileDirectory(path: arguments["profile"] ?? ProfileDirectory.standardPath)
        } catch {
            throw CommandFailure("\(error)", .cannotCreate)
        }
        let folder = folder(arguments)
        return try await NoteLibrary.open(
            folder ?? ProfileDirectory.notesFolder(of: profile.path),
            home: ProfileDirectory.notesHome(of: profile.path),
            person: arguments["as"] ?? person ?? HostConfiguration.loginName,
            options: NoteLibrary.Options(watches: watches), creating: creates || folder == nil)
    }

    /// Where drafts of notes lie while an editor has them.
    static func draftsFolder(_ arguments: Arguments) -> String {
        let profile = URL(fileURLWithPath: arguments["profile"] ?? ProfileDirectory.standardPath)
        return ProfileDirectory.notesHome(of: profile.path) + "/drafts"
    }

    /// The folder that `--dir` names.
    static func folder(_ arguments: Arguments) -> String? {
        arguments["dir"].map { path in
            URL(fileURLWithPath: (path as NSString).expandingTildeInPath).standardizedFileURL.path
        }
    }
}

extension NoteLibrary {
    /// The id of the folder that a person names, if they name one.
    func folderID(named name: String?) async throws(NoteFailure) -> String? {
        guard let name else { return nil }
        return try await folder(name).id
    }
}

extension CommandFailure {
    init(_ failure: NoteFailure) {
        var lines = [failure.message]
        lines += failure.candidates.prefix(10).map { "\($0.id)  \(PrintableText.line($0.title))" }
        self.init(lines.joined(separator: "\n"), ExitCode(failure.code))
    }
}

extension ExitCode {
    init(_ code: NoteFailure.Code) {
        self =
            switch code {
            case .noteUnknown, .folderUnknown, .commentUnknown, .textUnknown, .directoryUnreadable, .fileUnreadable:
                .noInput
            case .noteAmbiguous, .badRequest: .usage
            case .noteUnreadable, .tooLarge, .commentTooLong: .dataError
            case .directoryUnwritable, .notOwn: .noPermission
            case .diskFull: .inputOutput
            case .revisionUnknown: .temporaryFailure
            case .noteDeleted, .noteNotDeleted, .commentChanged, .folderCycle, .closed, .failed: .failure
            }
    }
}
