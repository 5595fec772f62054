import Foundation

/// `script-bundler OUTPUT PACKAGES NAME[:GLOBAL]=ENTRY ...` writes a Swift file with a constant NAME for each ENTRY: the script
/// with all that it imports, from beside it or from PACKAGES. Its exports become the members of a global object GLOBAL.
@main
enum Main {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else {
            throw Failure("usage: script-bundler OUTPUT PACKAGES NAME[:GLOBAL]=ENTRY ...")
        }
        let constants = try arguments.dropFirst(3).map { argument in
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Failure("\(argument) is not NAME[:GLOBAL]=ENTRY") }
            let names = parts[0].split(separator: ":").map(String.init)
            let script = try bundle(entry: parts[1], packages: arguments[2], global: names.count > 1 ? names[1] : nil)
            return try constant(names[0], script)
        }
        try constants.joined().write(toFile: arguments[1], atomically: true, encoding: .utf8)
    }

    private static func constant(_ name: String, _ script: String) throws -> String {
        // One literal of text compiles in no time; an array of bytes would not.
        let delimiter = "########"
        guard !script.contains("\"\"\"" + delimiter), !script.contains("\\" + delimiter) else {
            throw Failure("the bundle holds the delimiter of a Swift text")
        }
        return "let \(name) = \(delimiter)\"\"\"\n\(script)\n\"\"\"\(delimiter)\n"
    }

    private static func bundle(entry: String, packages: String, global: String?) throws -> String {
        let esbuild = Process()
        esbuild.executableURL = URL(filePath: "/usr/bin/env")
        esbuild.arguments =
            [
                "esbuild", entry, "--bundle", "--minify", "--format=iife", "--platform=neutral",
                "--main-fields=module,main", "--log-level=warning",
            ] + (global.map { ["--global-name=\($0)"] } ?? [])
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
