import Foundation
import PackagePlugin

/// Bundles the modules of `JavaScript/` with Yjs and puts the result into the module.
///
/// Yjs and lib0 are the system's packages, or with `ALCOVE_YJS=DIR` those in `DIR`.
@main
struct BundleScripts: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let packages = ProcessInfo.processInfo.environment["ALCOVE_YJS"] ?? "/usr/share/nodejs"
        let scripts = try files(in: target.directoryURL.appending(path: "JavaScript"), ending: ["js"])
        let library = try ["yjs", "yjs/dist", "lib0"].flatMap { folder in
            try files(in: URL(filePath: packages).appending(path: folder), ending: ["js", "mjs", "json"])
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "BundledScript.swift")
        let entry = target.directoryURL.appending(path: "JavaScript/index.js")
        return [
            .buildCommand(
                displayName: "Bundling \(scripts.count) scripts with Yjs from \(packages)",
                executable: try context.tool(named: "script-bundler").url,
                arguments: [output.path, packages, "bundledScript:crdt=\(entry.path)"],
                inputFiles: scripts + library,
                outputFiles: [output])
        ]
    }

    private func files(in folder: URL, ending: Set<String>) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ending.contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }
}
