import AppPacks
import Apps
import Components
import Foundation
import Host

/// The options that every command about apps takes, and what they describe.
///
/// These commands need no passphrase: apps are files of the profile. Several commands may run at once.
enum AppOptions {
    static let all = [ProfileOptions.profile]

    static let json = Arguments.Option.flag("json", "print JSON")

    static let jsonLines = Arguments.Option.flag("json", "print one JSON object a line")

    static let running: [Arguments.Option] = [
        .flag(
            "in-process",
            "run components in this process, without a sandbox around each of them: for apps you wrote yourself"),
        .value("tls-ca", "FILE", "PEM file with the authorities to check certificates of sites against"),
    ]

    static func library(_ arguments: Arguments) throws -> AppLibrary {
        let profile: ProfileDirectory
        do {
            profile = try ProfileDirectory(path: arguments["profile"] ?? ProfileDirectory.standardPath)
        } catch {
            throw CommandFailure("\(error)", .cannotCreate)
        }
        do {
            return try AppLibrary(path: ProfileDirectory.appsFolder(of: profile.path))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The installed app that a person names: by its domain, the first part of it, or its name.
    static func app(_ name: String, in library: AppLibrary) throws -> InstalledApp {
        let listing: AppListing
        do { listing = try library.list() } catch { throw CommandFailure(error) }
        if let exact = listing.apps.first(where: { $0.domain.name == name.lowercased() }) { return exact }
        let matches = listing.apps.filter { app in
            app.domain.name.split(separator: ".").first.map(String.init) == name.lowercased()
                || app.manifest.name.caseInsensitiveCompare(name) == .orderedSame
        }
        guard matches.count <= 1 else {
            throw CommandFailure(
                "\(name) may be: \(matches.map(\.domain.name).joined(separator: ", ")); write the whole domain", .usage)
        }
        guard let app = matches.first else {
            let damaged = listing.damaged.first { $0.domain.name.hasPrefix(name.lowercased()) }
            throw CommandFailure(
                damaged?.explanation ?? "no app called \(name) is installed; alcove app list shows what is", .noInput)
        }
        return app
    }
}

extension CommandFailure {
    init(_ error: AppPackError) {
        let code: ExitCode =
            switch error.code {
            case .notInstalled, .noSuchFile: .noInput
            case .notAPack, .refused, .manifest: .dataError
            case .older, .notRequested: .usage
            case .changed, .busy: .temporaryFailure
            case .foreign: .noPermission
            case .file: .inputOutput
            }
        self.init(error.message, code)
    }

    init(_ failure: AppFailure) {
        let code: ExitCode =
            switch failure.code {
            case .unknownApp, .unknownComponent: .noInput
            case .unknownCommand: .usage
            case .notGranted, .notAllowed: .noPermission
            case .unavailable: .unavailable
            case .timeout, .closing: .temporaryFailure
            case .invalidPack: .dataError
            case .cannotStart: .failure
            case .noSandbox: .unavailable
            case .file: .inputOutput
            }
        self.init(failure.explanation, code)
    }
}
