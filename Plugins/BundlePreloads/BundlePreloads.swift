import Foundation
import PackagePlugin

/// Bundles each preload of `JavaScript/` with what it imports, and with the table of messages that is made of the schemas of
/// `Components`, and puts the results into the module.
@main
struct BundlePreloads: BuildToolPlugin {
    /// The constants in Swift, and the scripts that they hold.
    private let preloads = [
        "commonPreload": "common-preload", "appPreload": "app-preload",
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let scripts = target.directoryURL.appending(path: "JavaScript")
        let schemas = context.package.directoryURL.appending(path: "Sources/Components/Protos")
        let generator = try context.tool(named: "message-generator").url
        let tables = context.pluginWorkDirectoryURL.appending(path: "Messages")
        let schemaFiles = try files(in: schemas, ending: "proto")
        let table = Command.buildCommand(
            displayName: "Making a table of \(schemaFiles.count) schemas for JavaScript",
            executable: URL(filePath: "/usr/bin/env"),
            arguments: [
                "protoc", "--plugin=protoc-gen-alcove=\(generator.path)", "--proto_path=\(schemas.path)",
                "--alcove_opt=js", "--alcove_out=\(tables.path)",
            ] + schemaFiles.map(\.path),
            inputFiles: schemaFiles + [generator],
            outputFiles: [tables.appending(path: "messages.js")])
        let output = context.pluginWorkDirectoryURL.appending(path: "BundledPreloads.swift")
        let bundle = Command.buildCommand(
            displayName: "Bundling \(preloads.count) preloads",
            executable: try context.tool(named: "script-bundler").url,
            arguments: [output.path, tables.path]
                + preloads.sorted { $0.key < $1.key }.map { "\($0.key)=\(scripts.path)/\($0.value).js" },
            inputFiles: try files(in: scripts, ending: "js") + [tables.appending(path: "messages.js")],
            outputFiles: [output])
        return [table, bundle]
    }

    private func files(in folder: URL, ending: String) throws -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == ending }
            .sorted { $0.path < $1.path }
    }
}
