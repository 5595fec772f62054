import AppCore
import AppPacks
import Apps
import Components
import Foundation

/// `alcove app new`
struct AppNewCommand: ReportingCommand {
    static let reference = CommandReference(
        "app new", "NAME [--to DIR]",
        "write the beginning of an app into a new folder",
        takes: .one("a name for the app"),
        options: AppOptions.all + [
            .value("to", "DIR", "the folder to make (default: the name)"),
            .value("domain", "DOMAIN", "the app's domain (default: NAME.example)"),
        ],
        examples: [
            "alcove app new tea-timer", "alcove app new \"Tea timer\" --domain tea.example.org --to tea",
        ])

    let arguments: Arguments
    private var name: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let named = Self.slug(name)
        let slug = named.isEmpty ? Self.freeFolder() : named
        guard let domain = AppDomain(arguments["domain"] ?? "\(slug).example") else {
            throw CommandFailure(
                "\(arguments["domain"] ?? name) is no domain; say one with --domain, for example --domain tea.example.org",
                .usage)
        }
        guard let template = AppTemplate(name: name, domain: domain) else {
            throw CommandFailure("an app's name is one line of at most 128 bytes", .usage)
        }
        let folder = arguments["to"] ?? slug
        do { try template.write(to: folder) } catch { throw CommandFailure(error) }
        let why: TerminalText =
            named.isEmpty && arguments["to"] == nil ? "a folder cannot be called \(name), so it is \(folder)\n" : ""
        return CommandResult(
            """
            \(why)wrote \(folder)/manifest.json, \(folder)/main.mjs and \(folder)/README.md

              alcove app install \(folder)
              alcove app run \(domain) hello
            """, json: ["app": .string(domain.name), "folder": .string(folder)])
    }

    /// The name as a label of a domain: lower-case letters, digits and hyphens; empty if it has none of these.
    static func slug(_ name: String) -> String {
        let words = name.lowercased().unicodeScalars.split { !(("a"..."z").contains($0) || ("0"..."9").contains($0)) }
        return String(words.map { String($0) }.joined(separator: "-").prefix(63)).trimmingCharacters(in: ["-"])
    }

    /// A folder that is not here yet, for a name that gives none: `app`, `app-2`, `app-3` …
    private static func freeFolder() -> String {
        var (folder, number) = ("app", 1)
        while FileManager.default.fileExists(atPath: folder) {
            number += 1
            folder = "app-\(number)"
        }
        return folder
    }
}
