import Foundation
import ProgramRunner
import Testing

/// What the other blocks of the pages are.
@Suite struct BlockTests {
    /// What is not run, and why. A line more here has to be worth it.
    @Test func `what is not run is known, and has a reason`() {
        let left = Page.all.flatMap(\.blocks).compactMap { block in
            block.attributes["not-run"].map { "\(block.page): \($0)" }
        }
        #expect(
            left == [
                "Apps/feed-reader/README.md: asks a site of the internet",
                "README.md: builds everything",
            ])
    }

    /// Nobody could say otherwise whether it began at all.
    @Test func `of what stays the page says how it begins`() throws {
        for step in try Page.all.flatMap(PageStep.steps) {
            guard case .command(let command, nil, true) = step.kind else { continue }
            // Somebody else does it, out of sight, and the page goes on with what comes of it.
            #expect(step.terminal == "ben", "\(step.block): show what `\(command)` prints at first")
        }
    }

    @Test func `every block says what it is, and what is to be run is not hidden among drawings`() {
        let known = ["c", "console", "diff", "js", "json", "mermaid", "proto", "sh", "swift", "text"]
        for block in Page.all.flatMap(\.blocks) {
            #expect(known.contains(block.language), "\(block): write one of \(known) behind the fence")
            let mayRun = block.attributes.keys.contains { ["typed", "output-of", "not-run"].contains($0) }
            guard block.language == "text", !mayRun else { continue }
            for line in block.lines { #expect(!line.hasPrefix("$ "), "\(block): this is a session: console") }
        }
    }

    /// `…` stands for a value, or for more of them.
    @Test(arguments: Page.all.flatMap(\.blocks).filter { $0.language == "json" })
    func `JSON can be read`(block: PageBlock) {
        let isOne = Self.isJSON(block.text) || Self.isJSON("{\(block.text)}")
        #expect(isOne || block.lines.allSatisfy(Self.isJSON), "\(block) is no JSON")
    }

    private static func isJSON(_ text: String) -> Bool {
        var written = ""
        var isText = false
        for character in text {
            if character == "\"", written.last != "\\" { isText.toggle() }
            guard character == "…", !isText else {
                written.append(character)
                continue
            }
            // In the place of a value it is one; in an object or list, what is left out.
            let before = written.last { !$0.isWhitespace }
            written += before == "{" ? "" : before == "," && !written.contains("[") ? #""…":null"# : "null"
        }
        return (try? JSONSerialization.jsonObject(with: Data(written.utf8), options: .fragmentsAllowed)) != nil
    }

    @Test(arguments: Page.all.flatMap(\.blocks).filter { $0.language == "js" })
    func `JavaScript is some`(block: PageBlock) throws {
        try check(block, "mjs", ["esbuild", "--log-level=error", "--outfile=/dev/null"])
    }

    @Test(arguments: Page.all.flatMap(\.blocks).filter { $0.language == "proto" })
    func `schemas compile`(block: PageBlock) throws {
        try Program.inFolder { folder in
            try Data(block.text.utf8).write(to: folder.appending(path: "page.proto"))
            let result = try Program.run([
                "protoc", "--proto_path=\(folder.path)", "--descriptor_set_out=/dev/null", "page.proto",
            ])
            #expect(result.status == 0, "\(block): \(result.output)")
        }
    }

    /// A part of a function, for those who include the header. It runs where the library was built with the tests, which it
    /// is not with `ALCOVE_ONLY`.
    @Test(arguments: Page.all.flatMap(\.blocks).filter { $0.language == "c" })
    func `C compiles and runs`(block: PageBlock) throws {
        try Program.inFolder { folder in
            let (source, program) = (folder.appending(path: "page.c").path, folder.appending(path: "page").path)
            let isWhole = block.text.contains("int main")
            let text =
                isWhole
                ? block.text : "#include <alcove_core.h>\nint main(void) {\n\(block.text)\nreturn tree == 0;\n}\n"
            try text.write(toFile: source, atomically: true, encoding: .utf8)
            let include = Program.repository.appending(path: "include").path
            let compiling = ["cc", "-std=c11", "-Wall", "-Wextra", "-I", include, source, "-o", program]
            let library = Program.products.appending(path: "libalcove_core.so").path
            let isThere = FileManager.default.fileExists(atPath: library)
            // The name under which programs look for it.
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "libalcove_core.so.1").path, withDestinationPath: library)
            for words in isThere ? [compiling + [library], [program]] : [compiling + ["-c"]] {
                let result = try Program.run(words, environment: ["LD_LIBRARY_PATH": folder.path])
                #expect(result.status == 0, "\(block): \(result.output)")
            }
        }
    }

    private func check(_ block: PageBlock, _ ending: String, _ words: [String]) throws {
        try Program.inFolder { folder in
            let file = folder.appending(path: "page.\(ending)")
            try Data(block.text.utf8).write(to: file)
            let result = try Program.run(words + [file.path])
            #expect(result.status == 0, "\(block): \(result.output)")
        }
    }

    /// It stands, word by word, in a source that is compiled: an example, or one of `Snippets` here, where it is also run.
    @Test(arguments: Page.all.flatMap(\.blocks).filter { $0.language == "swift" })
    func `Swift stands in a source that is compiled`(block: PageBlock) throws {
        let sources = try ["Examples", "Tests/Documentation/Snippets"].flatMap { folder in
            let root = Program.repository.appending(path: folder)
            return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: root.appending(path: $0), encoding: .utf8) }
        }
        // A page may begin with what is to be imported, which stands at the top of a source.
        let imports = block.lines.prefix { $0.hasPrefix("import ") || $0.isEmpty }
        let wanted = Self.withoutMargin(block.lines[imports.count...])
        let isThere = sources.contains { source in
            let lines = source.components(separatedBy: "\n")
            guard imports.allSatisfy(lines.contains) else { return false }
            guard lines.count >= wanted.count else { return false }
            return (0...(lines.count - wanted.count)).contains { start in
                lines[start].hasSuffix(wanted[0])
                    && Self.withoutMargin(lines[start..<start + wanted.count]) == wanted
            }
        }
        #expect(isThere, "\(block): no source has this text")
    }

    private static func withoutMargin(_ lines: ArraySlice<String>) -> [String] {
        let margins = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
        return lines.map { String($0.dropFirst(margins.min() ?? 0)) }
    }

    /// The words behind fences that CONTRIBUTING.md explains.
    @Test func `what stands behind a fence is understood`() throws {
        let page = try Page(
            path: "page.md",
            text: """
                ```console terminal=ada stays
                $ a \\
                b   # why
                one
                $ c
                ```
                ````sh not-run="a good reason"
                ```
                ````
                """)
        #expect(page.blocks.map(\.line) == [1, 7])
        #expect(page.blocks[0].attributes == ["terminal": "ada", "stays": ""])
        #expect(page.blocks[1].attributes == ["not-run": "a good reason"])
        #expect(page.blocks[1].lines == ["```"])
        let steps = try PageStep.steps(of: page)
        #expect(steps.count == 2)
        guard case .command("a \\\nb   # why", ["one"], false) = steps[0].kind,
            case .command("c", nil, true) = steps[1].kind
        else { return #expect(Bool(false), "\(steps)") }
        #expect(throws: PageBlock.Mistake.self) { try Page(path: "page.md", text: "```sh\nls") }
    }

    @Test func `output is compared`() {
        let shown = ExpectedOutput(
            ["code: 482913-maple-otter  …", "…", "end"], numbersDiffer: false, names: [:])
        let names = shown.names(in: "code: 123456-fox-egg  [x]\na\nb\nend\n", isWhole: true)
        #expect(names?["482913-maple-otter"] == "123456-fox-egg")
        #expect(names?["482913"] == "123456")
        #expect(ExpectedOutput.command("join 482913-maple-otter 482913", names ?? [:]) == "join 123456-fox-egg 123456")
        #expect(shown.names(in: "code: 123456-fox-egg  [x]\na\nb\nend\nmore", isWhole: true) == nil)
        let more = ExpectedOutput(["took 1.5 ms  ok"], numbersDiffer: true, names: [:])
        #expect(more.names(in: "took 123.25 ms ok\n", isWhole: true) != nil)
        #expect(more.names(in: "took 123.25 s ok\n", isWhole: true) == nil)
        let asked = ExpectedOutput(["Sure? [y]: y"], numbersDiffer: false, names: [:])
        #expect(asked.answer(to: "Sure? [y]: ", after: 0) == "y")
    }
}
