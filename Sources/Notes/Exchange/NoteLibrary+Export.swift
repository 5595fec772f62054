internal import CRDTBridge
internal import Foundation
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Writes notes as Markdown files: a folder for each folder of notes, pictures beside them. Files that are there already stay: a name
    /// that is taken gets a number.
    /// - Parameter notes: nil writes all that are not deleted.
    public func export(
        _ notes: [String]? = nil, to path: String
    ) async throws(NoteFailure) -> NoteTransfer {
        try checkOpen()
        let root = try NoteFailure.wrapping { try ExportFolder(URL(filePath: path)) }
        let tree = try folderTree()
        let ids = if let notes { notes } else { try indexed { try $0.notes().map(\.id) } }
        var transfer = NoteTransfer(notes: [], media: 0, problems: [])
        for id in ids {
            do throws(NoteFailure) {
                let note = try open(id)
                let summary = try summary(of: id)
                let folder = try NoteFailure.wrapping {
                    try tree.names(above: summary.folder).reduce(root) { try $0.folder($1) }
                }
                try export(note, summary, to: folder, &transfer)
            } catch {
                // A full disk will not get better.
                guard error.code != .diskFull, notes == nil else { throw error }
                transfer.problems.append("\(id): \(error.message)")
            }
            await Task.yield()
        }
        return transfer
    }

    private func export(
        _ note: NoteID, _ summary: NoteSummary, to folder: ExportFolder, _ transfer: inout NoteTransfer
    ) throws(NoteFailure) {
        let content = try crdt { try $0.tree(of: note.text) }
        var sources: [String: String] = [:]
        for image in content.imageReferences where sources[image.image] == nil {
            guard let media = try? directory.media(MediaID(image.image)) else {
                transfer.problems.append("\(summary.title): the picture \(image.image) is not here")
                continue
            }
            let name = try NoteFailure.wrapping {
                try folder.folder("media").write(
                    media.bytes, to: media.file.id.text, ending: ".\(media.file.type.fileExtension)")
            }
            sources[image.image] = "media/\(name)"
            transfer.media += 1
        }
        let links = Array(Set(content.noteLinks.compactMap(\.note)))
        let titles = try indexed { try $0.titles(of: links) }
        // Titles take the place of ids once all is printed, or they would be escaped. Numbers do until then: an id may have letters
        // that are escaped too.
        let numbers = Dictionary(uniqueKeysWithValues: links.enumerated().map { ($1, Self.number($0)) })
        let numbered = content.mappingRuns { run in
            run.text.map { run.saying(RichText.showingTitles(in: $0) { numbers[$0] }) } ?? run
        }
        let shown = Dictionary(uniqueKeysWithValues: links.map { (numbers[$0] ?? $0, titles[$0]) })
        let markdown = RichText.showingTitles(in: numbered.markdown { sources[$0.image] }) { shown[$0] ?? nil }
        _ = try NoteFailure.wrapping { try folder.write(Array(markdown.utf8), to: summary.title, ending: ".md") }
        transfer.notes.append(summary)
    }

    /// As long as an id.
    private static func number(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: 22 - digits.count) + digits
    }
}

extension FolderTree {
    /// The names of the folders that lead to one; none if it is not shown.
    fileprivate func names(above folder: String?) -> [String] {
        guard let folder, isVisible(folder), let last = self[folder] else { return [] }
        return ancestors(of: folder).reversed().map(\.name) + [last.name]
    }
}
