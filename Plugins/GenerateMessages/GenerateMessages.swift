import Foundation
import PackagePlugin

/// Makes Swift of the schemas in `Protos/`.
@main
struct GenerateMessages: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Protos")
        let schemas = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "proto" }
            .sorted { $0.path < $1.path }
        let generator = try context.tool(named: "message-generator").url
        let output = context.pluginWorkDirectoryURL
        return [
            .buildCommand(
                displayName: "Generating messages from \(schemas.count) schemas",
                executable: URL(filePath: "/usr/bin/env"),
                arguments: [
                    "protoc", "--plugin=protoc-gen-alcove=\(generator.path)", "--proto_path=\(folder.path)",
                    "--alcove_out=\(output.path)",
                ] + schemas.map(\.path),
                inputFiles: schemas + [generator],
                outputFiles: (schemas.map(swiftFile) + ["AllMessages.swift"]).map { output.appending(path: $0) })
        ]
    }

    /// `fs-op.proto` becomes `FsOpProto.swift`, as the generator says.
    private func swiftFile(for schema: URL) -> String {
        let words = schema.deletingPathExtension().lastPathComponent.split { $0 == "-" || $0 == "_" }
        return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Proto.swift"
    }
}
