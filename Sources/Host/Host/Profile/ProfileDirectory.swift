import Foundation
import Platform
import Synchronization

/// The folder that holds everything Alcove keeps for one person on one machine: mode 0700, one process at a time.
package struct ProfileDirectory: Sendable {
    package let path: String

    /// Where the profile lies unless the person says otherwise: `$XDG_DATA_HOME/alcove`, or `~/.local/share/alcove`;
    /// on Apple platforms the application support folder.
    package static var standardPath: String {
        #if canImport(Darwin)
        return NSHomeDirectory() + "/Library/Application Support/alcove"
        #else
        let environment = ProcessInfo.processInfo.environment
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/alcove" }
        return (environment["HOME"] ?? "/root") + "/.local/share/alcove"
        #endif
    }

    /// Makes the folder if it is missing.
    /// - Throws: ``ProfileError/cannotCreate(path:reason:)``, or ``ProfileError/moved(path:_:)`` if the profile has ended.
    package init(path: String) throws(ProfileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ProfileError.cannotCreate(path: path, reason: error.localizedDescription)
        }
        self.path = path
        if let end = ProfileEnd(of: path) { throw ProfileError.moved(path: path, end) }
    }

    /// The file of that name in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Where the notes of a profile are unless the person names another folder.
    package static func notesFolder(of profile: String) -> String { profile + "/Notes" }

    /// What this machine alone keeps about notes: the index, and the ids under which it writes.
    package static func notesHome(of profile: String) -> String { profile + "/NoteIndex" }

    /// The installed apps of a profile, with their data.
    package static func appsFolder(of profile: String) -> String { profile + "/Apps" }

    /// What was granted to other programs of this person, and what they had done.
    package static func toolsFolder(of profile: String) -> String { profile + "/Tools" }

    /// The sockets of the processes that run agents.
    package static func supervisorsFolder(of profile: String) -> String { profile + "/Agents" }

    /// Takes the profile for this process until the returned value is gone.
    /// - Throws: ``ProfileError/inUse(path:)`` if another process has it.
    package func take() throws(ProfileError) -> ProfileLock {
        try ProfileLock(path: file("lock"), profile: path)
    }
}

/// Holds a profile for one host: an advisory lock that the system lets go of however the process ends.
package final class ProfileLock: Sendable {
    private let descriptor: Mutex<Int32?>

    fileprivate init(path: String, profile: String) throws(ProfileError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ProfileError.cannotCreate(path: path, reason: String(cString: strerror(errno)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw ProfileError.inUse(path: profile)
        }
        self.descriptor = Mutex(descriptor)
    }

    func release() {
        descriptor.withLock { descriptor in
            if let descriptor {
                // Closing alone would leave it to a child process that is being started at this very moment.
                flock(descriptor, LOCK_UN)
                close(descriptor)
            }
            descriptor = nil
        }
    }

    deinit { release() }
}

/// Why a profile cannot be used.
package enum ProfileError: Error, Equatable, CustomStringConvertible {
    case cannotCreate(path: String, reason: String)
    case inUse(path: String)
    case badSettings(path: String, reason: String)
    case cannotOpen(path: String, reason: String)
    /// It goes on elsewhere.
    case moved(path: String, ProfileEnd)

    package var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "cannot create \(path): \(reason); choose another folder with --profile DIR"
        case .inUse(let path):
            "another alcove is using the profile \(path); end it, or choose another folder with --profile DIR"
        case .badSettings(let path, let reason):
            "the settings file \(path) cannot be used: \(reason)"
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened: \(reason)"
        case .moved(let path, let end):
            "the profile \(path) was moved into \(end.file); use it where that file was imported. If that never happened and "
                + "the file is lost, remove \(ProfileEnd.note(in: path)), and it opens here again"
        }
    }
}
