internal import Cryptography
internal import Foundation
internal import NoteFiles
internal import Wire

/// Which note a file was imported to or exported from, and the note as the file has it. With that an import of the file again changes
/// what was changed in the file, and nothing else.
struct ExchangedFile: Codable {
    /// The path, with which another file of the same digest is told apart.
    var file: String
    var note: String
    /// A Yjs update (V1), in Base64url.
    var state: String
    /// The folder that was imported with the file, where links of the file lead to other files. Nil for a file that came alone.
    var root: String?

    init(_ file: String, note: NoteID, state: [UInt8], root: String? = nil) {
        (self.file, self.note, self.root) = (file, note.text, root)
        self.state = Base64URL.encode(state)
    }
}

/// The files that were imported and exported on this machine, a small file for each.
struct ExchangedFiles {
    private let folder: URL

    /// - Parameters:
    ///   - home: the folder of this machine only.
    ///   - directory: the id of the storage directory.
    init(home: String, directory: String) {
        folder = URL(filePath: home).appending(path: "\(directory.isEmpty ? "unnamed" : directory).exchanged")
    }

    /// What is known of a file; nil also if that cannot be read.
    subscript(path: String) -> (note: NoteID, state: [UInt8], root: String?)? {
        guard let data = try? Data(contentsOf: place(of: path)),
            let known = try? JSONDecoder().decode(ExchangedFile.self, from: data), known.file == path,
            let note = try? NoteID(known.note), let state = try? Base64URL.decode(known.state)
        else { return nil }
        return (note, state, known.root)
    }

    func keep(_ file: ExchangedFile) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try JSONEncoder().encode(file).write(to: place(of: file.file), options: .atomic)
    }

    private func place(of path: String) -> URL {
        folder.appending(path: Base64URL.encode(HashFunction.sha256.digest(Array(path.utf8)).prefix(18)) + ".json")
    }
}

extension NoteLibrary {
    var exchanged: ExchangedFiles { ExchangedFiles(home: home, directory: directoryID) }
}
