import Foundation
import Notes

/// Folders of one test that are gone afterwards.
struct Place {
    let root: URL

    static func inFolder<Value>(_ body: (Place) async throws -> Value) async throws -> Value {
        let root = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "alcove-notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        return try await body(Place(root: root))
    }

    func directory(_ name: String) -> URL { root.appending(path: "shared-\(name)") }
    func home(_ name: String) -> URL { root.appending(path: "home-\(name)") }

    /// Opens the directory of `name`, or another one, as the person `name`.
    /// - Parameter perByte: what counts for each byte that is read, instead of how long this machine takes.
    func open(
        _ name: String, directory: String? = nil, watches: Bool = false,
        clock: @escaping @Sendable () -> Int64 = NoteLibrary.now, patience: Duration = .seconds(5),
        perByte: Duration? = nil
    ) async throws -> NoteLibrary {
        var options = NoteLibrary.Options(clock: clock, watches: watches)
        options.patience = patience
        options.timePerByte = perByte
        return try await NoteLibrary.open(
            self.directory(directory ?? name).path, home: home(name).path, person: name, options: options)
    }

    /// Every file below a folder by its path from there.
    static func files(below folder: URL) -> [String] {
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else {
            return []
        }
        return walk.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .map { String($0.standardizedFileURL.path.dropFirst(folder.standardizedFileURL.path.count + 1)) }
            .sorted()
    }
}
