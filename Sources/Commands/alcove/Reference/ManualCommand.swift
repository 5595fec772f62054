import AppCore
import Foundation

/// `alcove manual`
struct ManualCommand: ReportingCommand {
    static let reference = CommandReference(
        "manual", "DIR",
        "write the manual pages into a folder",
        takes: .one("the folder to write the pages to"),
        options: [],
        examples: ["alcove manual ~/.local/share/man/man1"])

    let arguments: Arguments
    private var folder: String { arguments.operands[0] }

    func result() async throws -> CommandResult {
        let pages = ManualPage.pages(of: CommandGroup.groups(of: Alcove.commands))
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for page in pages {
                try page.text.write(toFile: folder + "/" + page.name, atomically: true, encoding: .utf8)
            }
        } catch {
            throw CommandFailure(writing: folder, error)
        }
        return CommandResult(json: ["folder": .string(folder), "pages": .array(pages.map { .string($0.name) })])
    }
}
