import Foundation
import ProgramRunner
import Testing

/// The tutorial for a first feature changes sources. Nobody has made these changes here, so this applies them to copies.
@Suite struct TutorialTests {
    /// Blocks of the form ```` ```diff patch=FILE ````: lines that stand in the file, lines that come (`+`) and go (`-`), and `@@`
    /// between two places.
    private static let patches = Page.all.flatMap(\.blocks).filter { $0.language == "diff" }

    /// The file with the changes of a block.
    private static func patched(_ block: PageBlock) throws -> (path: String, text: String) {
        guard let path = block.attributes["patch"] else { throw PageBlock.Mistake(block, "say patch=FILE") }
        let file = Program.repository.appending(path: path)
        let isThere = FileManager.default.fileExists(atPath: file.path)
        var text = "\n" + (isThere ? try String(contentsOf: file, encoding: .utf8) : "")
        for place in block.lines.split(separator: "@@") {
            let lines = { (signs: Set<Character?>) in
                "\n" + place.filter { signs.contains($0.first) }.map { $0.dropFirst() + "\n" }.joined()
            }
            let old = lines([" ", "-", nil])
            guard old == "\n" ? !isThere : text.components(separatedBy: old).count == 2 else {
                throw PageBlock.Mistake(block, "\(path) has to have these lines once:\(old)")
            }
            text = text.replacing(old, with: lines([" ", "+", nil]))
        }
        return (path, String(text.dropFirst()))
    }

    @Test(arguments: patches) func `a change fits its file, and can be parsed`(block: PageBlock) throws {
        let (path, text) = try Self.patched(block)
        if path.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
        guard path.hasSuffix(".swift") else { return }
        try Program.inFolder { folder in
            let file = folder.appending(path: "changed.swift").path
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let result = try Program.run(["swiftc", "-frontend", "-parse", "-enable-bare-slash-regex", file])
            #expect(result.status == 0, "\(block): \(result.output)")
        }
    }

    /// The core stands on the standard library alone, so the compiler can check the changed files without a build.
    @Test func `the core compiles with the changes of the tutorial`() async throws {
        let core = "Sources/Core/AppCore"
        let changed = try Dictionary(uniqueKeysWithValues: Self.patches.map(Self.patched))
        #expect(changed.keys.count { $0.hasPrefix(core) } > 4)
        let folder = FileManager.default.temporaryDirectory.appending(path: "alcove-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try FileManager.default.subpathsOfDirectory(atPath: Program.repository.appending(path: core).path)
        let files = try names.filter { $0.hasSuffix(".swift") }.flatMap { name in
            let path = "\(core)/\(name)"
            guard let text = changed[path] else { return [Program.repository.appending(path: path).path] }
            let file = folder.appending(path: (path as NSString).lastPathComponent).path
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            return ["-primary-file", file]
        }
        let options = ["-frontend", "-typecheck", "-swift-version", "6", "-package-name", "alcove"]
        let result = try await Program.completion(of: ["swiftc"] + options + ["-module-name", "AppCore"] + files)
        #expect(result.status == 0, "\(result.output)")
    }
}
