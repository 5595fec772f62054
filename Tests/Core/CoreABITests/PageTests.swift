import AppCore
import Foundation
import ProgramRunner
import Testing

/// The blocks of `docs/c-abi.md`, run from a copy of the page in a folder that has what the page says there is.
/// `Scripts/examples` runs them too, with the release build, because only that has an archive.
@Suite struct PageTests {
    private static let page = Program.repository.appending(path: "docs/c-abi.md")

    private static func blocks(_ language: String, of page: URL) throws -> [String] {
        try String(contentsOf: page, encoding: .utf8).matches(of: /(?ms)^```([a-z]+)\n(.*?)^```$/)
            .filter { $0.1 == language }.map { String($0.2) }
    }

    @Test func `the program builds and runs with the commands of the page`() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "alcove-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "c-abi.md")
        try FileManager.default.copyItem(at: Self.page, to: copy)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "include"), withDestinationURL: Program.repository.appending(path: "include"))
        let package = Program.repository.appending(path: "Scripts/core-package").path
        let built = folder.appending(path: ".build/release").path
        let made = try Program.run([package, Program.products.path, built])
        try #require(made.status == 0, "\(made.output)")

        let programs = try Self.blocks("c", of: copy)
        try #require(programs.count == 1)
        try Data(programs[0].utf8).write(to: folder.appending(path: "host.c"))
        // Another block, which is not shown, puts the program into its file.
        let commands = try Self.blocks("sh", of: copy).filter { $0.hasPrefix("cc ") }
        try #require(commands.count == 1)
        let lines = commands[0].split(separator: "\n")
        let shared = lines.filter { !$0.contains("host-static") }
        #expect(lines.count == 4 && shared.count == 2)
        let result = try Program.run(
            ["/usr/bin/env", "-C", folder.path, "-u", "LD_LIBRARY_PATH", "sh", "-ec", shared.joined(separator: "\n")])
        #expect(result.status == 0, "\(result.output)")
        let trees = result.output.split(separator: "\n").filter { $0.hasPrefix(#"{"ok":true"#) }
        #expect(trees.count == 1 && trees.allSatisfy { $0.contains(#""id":"chat""#) }, "\(result.output)")
    }

    @Test func `reports and envelopes look as on the page`() throws {
        let blocks = try Self.blocks("json", of: Self.page)
        try #require(blocks.count == 2)
        let host = try ForeignHost("\"verified_chat\"")
        let shown = try #require(try JSON.decode(JSONValue.self, from: blocks[0].utf8).object)
        let report = try host.event(#"{"type":"reachability","online":false}"#).result?.object
        #expect(report.map { Set($0.keys) } == Set(shown.keys))
        let envelopes = blocks[1].split(separator: "\n").map(String.init)
        let failure = try host.dispatch("x").text
        _ = try host.drain()
        let success = try host.drain().text
        #expect(envelopes == [success, failure])
    }
}
