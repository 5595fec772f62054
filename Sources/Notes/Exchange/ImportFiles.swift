internal import Foundation
internal import NoteFiles

/// The Markdown files of an import, and where their links lead.
struct ImportFiles {
    struct File {
        let url: URL
        /// The names of the folders that it is in, from the root of the import.
        let folders: [String]
        /// The note that it becomes.
        let note: NoteID
        var name: String { url.deletingPathExtension().lastPathComponent }
    }

    static let countLimit = 10_000
    static let byteLimit = 4 << 20

    let root: URL
    private(set) var files: [File] = []
    private var notes: [String: NoteID] = [:]

    /// Looks for Markdown files, in order of their paths. Links of the file system and hidden files are left out.
    init(_ path: String) throws(NoteFailure) {
        let url = URL(filePath: path).standardizedFileURL
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw NoteFailure(.fileUnreadable, "there is nothing at \(path) to import")
        }
        root = isFolder.boolValue ? url : url.deletingLastPathComponent()
        let urls = isFolder.boolValue ? Self.markdown(below: url) : [url]
        guard urls.count <= Self.countLimit else {
            throw NoteFailure(.tooLarge, "\(path) has more than \(Self.countLimit) Markdown files: import it in parts")
        }
        for url in urls {
            let steps = url.deletingLastPathComponent().path.dropFirst(root.path.count).split(separator: "/")
            let file = File(url: url, folders: steps.map(String.init), note: NoteID.random())
            files.append(file)
            notes[url.path] = file.note
        }
    }

    /// The note behind a link of a file, if the link leads to a file of the import.
    func note(behind address: String, in file: File) -> NoteID? {
        guard let target = url(address, from: file) else { return nil }
        return notes[target.path]
    }

    /// The bytes of a picture beside a file.
    func picture(_ address: String, in file: File) -> [UInt8]? {
        guard let target = url(address, from: file), target.path.hasPrefix(root.path + "/"),
            let size = try? target.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey]),
            size.isRegularFile == true, size.fileSize ?? .max <= StorageDirectory.mediaLimit
        else { return nil }
        return (try? Data(contentsOf: target)).map { Array($0) }
    }

    private func url(_ address: String, from file: File) -> URL? {
        guard !address.contains(":"), !address.hasPrefix("/"), !address.hasPrefix("#") else { return nil }
        let path = address.prefix { $0 != "#" && $0 != "?" }
        return file.url.deletingLastPathComponent()
            .appending(path: path.removingPercentEncoding ?? String(path)).standardizedFileURL
    }

    private static func markdown(below folder: URL) -> [URL] {
        let walk = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles)
        let urls = walk?.lazy.compactMap { $0 as? URL }.filter { url in
            ["md", "markdown"].contains(url.pathExtension.lowercased())
                && (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }.prefix(countLimit + 1)
        return (urls.map(Array.init) ?? []).map(\.standardizedFileURL).sorted { $0.path < $1.path }
    }
}
