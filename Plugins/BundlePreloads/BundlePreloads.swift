import Foundation
import PackagePlugin

/// Bundles each script of `JavaScript/` with what it imports, and with the table of messages that is made of the schemas of
/// `Components`, and makes it a constant of the module: `common-preload.js` becomes `commonPreload`.
@main
struct BundlePreloads: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let package = context.package.directoryURL
        let protos = package.appending(path: "Sources/Apps/Components/Protos")
        let schemas = files(in: protos, ending: "proto")
        let generator = try context.tool(named: "message-generator").url
        let bundler = try context.tool(named: "script-bundler").url
        let tables = context.pluginWorkDirectoryURL.appending(path: "Messages").path

        let folder = target.directoryURL.appending(path: "JavaScript")
        // Tests bundle modules of the preloads with scripts of their own.
        let modules = files(in: package.appending(path: "Sources/Apps/Preloads/JavaScript"), ending: "js")
        let scripts = files(in: folder, ending: "js")
        let entries = scripts.filter { $0.deletingLastPathComponent().path == folder.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "BundledPreloads.swift")
        // In one step: a table that is made by a step of its own would be a resource of the module, and what has resources
        // needs Foundation, which takes confined components milliseconds to load.
        let steps = """
            mkdir -p "$3"
            protoc --plugin=protoc-gen-alcove="$1" --proto_path="$2" --alcove_opt=js --alcove_out="$3" "$2"/*.proto
            shift 3
            exec "$@"
            """
        let bundle = Command.buildCommand(
            displayName: "Bundling \(entries.count) scripts with a table of \(schemas.count) schemas",
            executable: URL(filePath: "/bin/sh"),
            arguments: ["-ec", steps, "bundle", generator.path, protos.path, tables, bundler.path, output.path, tables]
                + entries.map { "\(constant(for: $0))=\($0.path)" },
            inputFiles: schemas + [generator, bundler] + modules + scripts,
            outputFiles: [output])
        return [bundle]
    }

    private func constant(for script: URL) -> String {
        let words = script.deletingPathExtension().lastPathComponent.split(separator: "-")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private func files(in folder: URL, ending: String) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { ($0 as? URL)?.standardizedFileURL } ?? [])
            .filter { $0.pathExtension == ending }
            .sorted { $0.path < $1.path }
    }
}
