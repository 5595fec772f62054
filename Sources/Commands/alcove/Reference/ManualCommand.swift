import Foundation

/// `alcove manual`
struct ManualCommand: Command {
    static let reference = CommandReference(
        "manual", "DIR",
        "write the manual pages into a folder",
        takes: .one("the folder to write the pages to"),
        options: [],
        examples: ["alcove manual ~/.local/share/man/man1"])

    private let folder: String

    init(arguments: Arguments) throws {
        folder = arguments.operands[0]
    }

    func run() async throws {
        let groups = CommandGroup.groups(of: Alcove.commands)
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for page in ManualPage.pages(of: groups) {
                try page.text.write(toFile: folder + "/" + page.name, atomically: true, encoding: .utf8)
            }
        } catch {
            throw CommandFailure(
                "the pages cannot be written to \(folder): \(error.localizedDescription)", .cannotCreate)
        }
    }
}
