import AppCore
package import Cryptography
@_exported public import Errors
import Foundation
package import Storage

/// A whole profile in one sealed file: to have when the machine is gone, and to take along to another one.
///
/// What is in it, and what stays behind, is in `docs/protocols/profile-archive.md`. No one-time key is: see ``ProfileCopy``.
package enum ProfileArchive {
    /// What an archive says of itself.
    package struct Summary: Codable, Hashable, Sendable {
        /// When it was written, in milliseconds since 1970.
        package var made: Int64
        /// The version of the program that wrote it.
        package var program: String
        /// Whether the profile ended with it, to go on elsewhere.
        package var isMove: Bool
        /// Whether received files are in it.
        package var hasFiles: Bool
        /// Whether the profile asks for a passphrase of its own.
        package var hasPassphrase: Bool
        package var rooms: Int
        package var messages: Int
        /// People whose identity is known.
        package var people: Int
        package var notes: Int
        package var apps: Int

        /// Whether what was read is what a program would say that wrote it before the year 10000.
        var isPlausible: Bool {
            (0..<253_402_300_800_000).contains(made) && program.utf8.count <= 64
                && [rooms, messages, people, notes, apps].allSatisfy { $0 >= 0 }
        }
    }

    /// An archive that was written or read.
    package struct Result: Hashable, Sendable {
        package var summary: Summary
        package var amount: ArchiveAmount
    }

    /// Is told how far it is; the size is that of the archive, and 0 while one is written. False gives it up, and nothing is left.
    package typealias Progress = (ArchiveAmount, _ size: Int64) -> Bool

    /// What of a profile's folder is copied. `profile.sqlite` is not this one but a copy without keys.
    static let database = "profile.sqlite"
    static let files = ["vault", "device.key", "settings.json"]
    static let folders = ["Sealed", "Notes", "Apps"]
    /// Received files, if they are wanted.
    static let received = "Files"
    /// Where the copy of the database lies while it is read.
    static let copyFolder = "copy"
    /// Where archives wait that a person made in a window, until they are saved.
    static let exportsFolder = "Exports"

    static func isOurs(_ name: String, isFolder: Bool) -> Bool {
        isFolder ? name == received || folders.contains(name) : name == database || files.contains(name)
    }

    /// Reads a whole archive and checks every byte of it. Nothing is written.
    package static func verify(
        _ file: String, passphrase: SecretBytes, progress: Progress
    ) throws(ProfileArchiveError) -> Result {
        try read(file, passphrase: passphrase, into: nil, progress: progress)
    }

    static func read(
        _ file: String, passphrase: SecretBytes, into folder: String?, progress: Progress
    ) throws(ProfileArchiveError) -> Result {
        do throws(ArchiveError) {
            var summary: Summary?
            let amount = try ArchiveReader.read(
                file, passphrase: passphrase, into: folder,
                about: { bytes throws(ArchiveError) in
                    summary = try? JSONDecoder().decode(Summary.self, from: Data(bytes))
                    guard summary?.isPlausible == true else {
                        throw ArchiveError(.invalid, "the file does not say what it holds, as a profile does")
                    }
                }, allowing: isOurs, progress: progress)
            guard let summary else { throw ArchiveError(.invalid, "the file does not say what it holds") }
            return Result(summary: summary, amount: amount)
        } catch { throw ProfileArchiveError(error) }
    }
}

/// Why a profile was not exported or imported.
package typealias ProfileArchiveError = CodedError<ProfileArchiveErrorCode>

/// The codes of ``ProfileArchiveError``.
package enum ProfileArchiveErrorCode: String, ErrorCode {
    case noProfile = "no_profile"
    /// Another process has the profile, its apps, or the place where it is restored.
    case inUse = "in_use"
    /// There is a profile, or something else, where one is to be restored.
    case notEmpty = "not_empty"
    case notAnArchive = "not_an_archive"
    case otherVersion = "other_version"
    case wrongPassphrase = "wrong_passphrase"
    case damaged
    case diskFull = "disk_full"
    case failed
}

extension ProfileArchiveError {
    init(_ error: ArchiveError) {
        let code: Code =
            switch error.code {
            case .notAnArchive: .notAnArchive
            case .otherVersion: .otherVersion
            case .wrongPassphrase: .wrongPassphrase
            case .damaged, .invalid: .damaged
            case .diskFull: .diskFull
            case .failed: .failed
            }
        self.init(code, error.message)
    }

    /// Whatever opening or copying a profile threw.
    init(_ error: any Error) {
        switch error {
        case let error as ProfileArchiveError: self = error
        case let error as ArchiveError: self.init(error)
        case ProfileError.inUse(let path):
            self.init(
                .inUse,
                "another alcove is using the profile \(path); end it (a host process: alcove host stop), then try again"
            )
        case _ where error.saysDiskIsFull:
            self.init(.diskFull, "there is no room on the disk; make room, then try again")
        case let error as FileError: self.init(.failed, error.message)
        case let error as DatabaseError: self.init(.failed, error.message)
        case let error as VaultError: self.init(.failed, error.message)
        default: self.init(.failed, "\(error)")
        }
    }
}
