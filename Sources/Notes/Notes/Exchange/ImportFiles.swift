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
        /// The note as the file had it when it was imported or exported last; nil for a file that is new here.
        let state: [UInt8]?
        /// As people type it, which is not how all systems keep it.
        var name: String { url.deletingPathExtension().lastPathComponent.precomposedStringWithCanonicalMapping }
        /// From the root of the import.
        var path: String { (folders + [url.lastPathComponent]).joined(separator: "/") }
    }

    static let countLimit = 10_000
    static let byteLimit = 4 << 20
    /// Pictures that are found by their names alone.
    private static let pictureLimit = 100_000
    private static let pictureEndings: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "svg", "heic"]

    private let root: URL
    /// The files that links may lead to: those that are imported, and those of the same folder that were imported before.
    private(set) var files: [File] = []
    /// The files that are imported.
    private(set) var imported: [File] = []
    /// The folder to keep with the files; nil for a file that comes alone.
    var recordedRoot: String? { isWhole ? root.path : nil }
    private let isWhole: Bool
    private let known: (String) -> NoteID?
    private var notes: [String: NoteID] = [:]
    private var pictures: [String: URL] = [:]

    /// Looks for Markdown files, in order of their paths. Links of the file system and hidden files are left out.
    ///
    /// The links of a single file are resolved in the folder that it was imported with before, if it was.
    /// - Parameter known: what the path of a file was imported to before, and in which folder.
    init(
        _ path: String, known: @escaping (String) -> (note: NoteID, state: [UInt8], root: String?)?
    ) throws(NoteFailure) {
        let url = URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw NoteFailure(.fileUnreadable, "there is nothing at \(path) to import")
        }
        let isFolder = isDirectory.boolValue
        let folder = isFolder ? url : known(url.path)?.root.map { URL(filePath: $0) }
        var found = folder.map { Self.files(below: $0) } ?? ([url], [])
        let isFound = found.0.contains { $0.path == url.path } && found.0.count <= Self.countLimit
        if !isFolder, !isFound { found = ([url], []) }
        isWhole = isFolder || isFound && folder != nil
        root = isWhole ? folder ?? url : url.deletingLastPathComponent()
        self.known = isFolder ? { _ in nil } : { known($0)?.note }
        guard found.0.count <= Self.countLimit else {
            throw NoteFailure(.tooLarge, "\(path) has more than \(Self.countLimit) Markdown files: import it in parts")
        }
        for found in found.0 {
            let steps = found.deletingLastPathComponent().path.dropFirst(root.path.count).split(separator: "/")
            let before = known(found.path)
            let isImported = isFolder || found.path == url.path
            guard isImported || before != nil else { continue }
            let file = File(
                url: found, folders: steps.map(String.init), note: before?.note ?? NoteID.random(), state: before?.state
            )
            files.append(file)
            if isImported { imported.append(file) }
            notes[found.path] = file.note
        }
        for url in found.1.reversed() { pictures[url.lastPathComponent.lowercased()] = url }
    }

    /// The note behind a link of a file, if the link leads to a file of the import. A link of a single file may lead to any file that
    /// was imported or exported before.
    func note(behind address: String, in file: File) -> NoteID? {
        candidates(address, from: file).lazy.compactMap { notes[$0.path] ?? known($0.path) }.first
    }

    /// The note that a name in brackets means: the path of a file, or the end of one, without its ending. Of several files the one in the
    /// same folder comes first, then those in the fewest folders.
    func note(named name: String, in file: File, _ names: [String: [Int]]) -> NoteID? {
        let found = (names[Self.comparable(name.split(separator: "/").last.map(String.init) ?? name)] ?? []).filter {
            index in
            let path = Self.comparable((files[index].folders + [files[index].name]).joined(separator: "/"))
            let wanted = Self.comparable(name)
            return path == wanted || path.hasSuffix("/" + wanted) || !name.contains("/")
        }
        return found.min { one, other in rank(files[one], file) < rank(files[other], file) }.map { files[$0].note }
    }

    private func rank(_ one: File, _ file: File) -> (Int, Int, String) {
        (one.folders == file.folders ? 0 : 1, one.folders.count, one.path)
    }

    /// The files by their names without endings.
    var names: [String: [Int]] { Dictionary(grouping: files.indices) { Self.comparable(files[$0].name) } }

    static func comparable(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".md") ? String(name.dropLast(3)) : name
    }

    func isPicture(_ address: String, in file: File) -> Bool { pictureFile(address, in: file) != nil }

    /// The bytes of a picture beside a file, or anywhere in the import if only its name is given.
    func picture(_ address: String, in file: File) -> [UInt8]? {
        pictureFile(address, in: file).flatMap { try? Data(contentsOf: $0) }.map { Array($0) }
    }

    private func pictureFile(_ address: String, in file: File) -> URL? {
        let name = String(address.split(separator: "/").last ?? "").lowercased()
        return (candidates(address, from: file) + [pictures[name]].compactMap(\.self)).first(where: isPicture)
    }

    private func isPicture(_ url: URL) -> Bool {
        guard Self.pictureEndings.contains(url.pathExtension.lowercased()),
            url.resolvingSymlinksInPath().path.hasPrefix(root.path == "/" ? "/" : root.path + "/"),
            let size = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        else { return false }
        return size.isRegularFile == true && size.fileSize ?? .max <= StorageDirectory.mediaLimit
    }

    /// The files that an address may mean: from the folder of the file, and from the root of the import.
    private func candidates(_ address: String, from file: File) -> [URL] {
        let scheme = address.prefix { $0 != ":" && $0 != "/" }
        guard scheme.endIndex == address.endIndex || address[scheme.endIndex] == "/", !address.hasPrefix("#") else {
            return []
        }
        let path = address.prefix { $0 != "#" && $0 != "?" }
        let folder = file.url.deletingLastPathComponent()
        return [path.removingPercentEncoding ?? String(path), String(path), address].flatMap { path in
            [folder, root].map { $0.appending(path: path).standardizedFileURL }
        }
    }

    /// Markdown files in order of their paths, and pictures.
    private static func files(below folder: URL) -> ([URL], [URL]) {
        let walk = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles)
        var (markdown, pictures): ([URL], [URL]) = ([], [])
        while let url = walk?.nextObject() as? URL, markdown.count <= countLimit {
            let ending = url.pathExtension.lowercased()
            let isMarkdown = ["md", "markdown"].contains(ending)
            guard isMarkdown || pictureEndings.contains(ending) && pictures.count < pictureLimit,
                (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
            else { continue }
            if isMarkdown { markdown.append(url.standardizedFileURL) } else { pictures.append(url.standardizedFileURL) }
        }
        return (markdown.sorted { $0.path < $1.path }, pictures.sorted { $0.path < $1.path })
    }
}
