internal import Foundation

/// A folder that files are exported to. Nothing that is there already is overwritten.
struct ExportFolder {
    let path: URL

    init(_ path: URL) throws {
        self.path = path
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    }

    func folder(_ name: String) throws -> ExportFolder {
        try ExportFolder(path.appending(path: Self.fileName(name)))
    }

    /// Writes a file under this name, or with a number behind it if the name is taken by something else.
    /// - Returns: the name that it got.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String, ending: String) throws -> String {
        let base = Self.fileName(name)
        for number in 1... {
            let file = path.appending(path: (number == 1 ? base : "\(base) (\(number))") + ending)
            guard FileManager.default.fileExists(atPath: file.path) else {
                try Data(bytes).write(to: file, options: .withoutOverwriting)
                return file.lastPathComponent
            }
            if (try? Data(contentsOf: file)) == Data(bytes) { return file.lastPathComponent }
        }
        return base
    }

    /// A title as every file system takes it.
    static func fileName(_ title: String) -> String {
        let forbidden: Set<Character> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
        var name = String(
            title.map { $0.isNewline || $0.asciiValue.map { $0 < 0x20 } == true || forbidden.contains($0) ? "-" : $0 })
        // With a number and an ending it stays below 255 bytes.
        while name.utf8.count > 200 { name.removeLast() }
        name = name.trimmingCharacters(in: .whitespaces)
        while name.hasPrefix(".") { name.removeFirst() }
        while name.hasSuffix(".") { name.removeLast() }
        return name.isEmpty ? "Untitled" : name
    }
}
