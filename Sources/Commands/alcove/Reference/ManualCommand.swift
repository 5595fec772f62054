import Foundation

/// `alcove manual`
struct ManualCommand: Command {
    static let name = "manual"
    static let summary = "write the manual pages into a folder"
    static let usage = "DIR"
    static let options: [Arguments.Option] = []
    static let examples = ["alcove manual ~/.local/share/man/man1"]

    private let folder: String

    init(_ arguments: Arguments) throws {
        folder = try arguments.operands(1...1, "the folder to write the pages to")[0]
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
