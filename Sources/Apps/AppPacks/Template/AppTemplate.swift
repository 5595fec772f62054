package import Components
internal import Storage
internal import Wire

/// The beginning of a new app: a folder that can be installed and run as it is.
package struct AppTemplate: Sendable {
    /// What persons call the app.
    package let name: String
    package let domain: AppDomain

    /// nil if no app can have the name, which is one line of at most 128 bytes.
    package init?(name: String, domain: AppDomain) {
        let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard (1...128).contains(name.utf8.count), !hasControls else { return nil }
        self.name = name
        self.domain = domain
    }

    /// Makes the folder `path`, which must not be there yet, with the files of the app.
    package func write(to path: String) throws(AppPackError) {
        let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
        let steps = trimmed.split(separator: "/", omittingEmptySubsequences: false)
        let parent = steps.count > 1 ? steps.dropLast().joined(separator: "/") + "/" : "."
        let name = String(steps.last ?? "")
        try reporting { () throws(FileError) in
            let parent = try Folder(parent)
            guard try parent.status(of: name) == nil else {
                throw FileError(.alreadyExists, "\(path) is there already; choose another name")
            }
            let folder = try parent.folder(making: name)
            for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
        }
    }

    /// Names and texts. What the person chose stands in no code.
    var files: [(name: String, text: String)] {
        [
            ("manifest.json", Self.manifest(name: JSONValue.string(name).text, domain: domain.name)),
            ("main.mjs", Self.script),
            ("README.md", Self.readMe(name: name, domain: domain.name)),
        ]
    }
}
