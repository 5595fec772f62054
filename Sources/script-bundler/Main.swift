import Foundation

/// `script-bundler ENTRY PACKAGES OUTPUT` writes a Swift file with ENTRY and all that it imports as one script.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else { throw Failure("usage: script-bundler ENTRY PACKAGES OUTPUT") }
        let script = try bundle(entry: arguments[1], packages: arguments[2])
        // One literal of text compiles in no time; an array of bytes would not.
        let delimiter = "########"
        guard !script.contains("\"\"\"" + delimiter), !script.contains("\\" + delimiter) else {
            throw Failure("the bundle holds the delimiter of a Swift text")
        }
        let source = "let bundledScript = \(delimiter)\"\"\"\n\(script)\n\"\"\"\(delimiter)\n"
        try source.write(toFile: arguments[3], atomically: true, encoding: .utf8)
    }

    private static func bundle(entry: String, packages: String) throws -> String {
        let esbuild = Process()
        esbuild.executableURL = URL(filePath: "/usr/bin/env")
        esbuild.arguments = [
            "esbuild", entry, "--bundle", "--minify", "--format=iife", "--global-name=crdt", "--platform=neutral",
            "--main-fields=module,main", "--log-level=warning",
        ]
        esbuild.environment = ProcessInfo.processInfo.environment.merging(["NODE_PATH": packages]) { $1 }
        let output = Pipe()
        esbuild.standardOutput = output
        try esbuild.run()
        let script = output.fileHandleForReading.readDataToEndOfFile()
        esbuild.waitUntilExit()
        guard esbuild.terminationStatus == 0 else {
            throw Failure("esbuild did not bundle \(entry): are esbuild, node-yjs and node-lib0 installed?")
        }
        return String(decoding: script, as: UTF8.self)
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
