internal import CRDTBridge
internal import Foundation
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Writes notes as Markdown files: a folder for each folder of notes, pictures beside them. Files that are there already stay: a name
    /// that is taken gets a number.
    /// - Parameter notes: nil writes all that are not deleted.
    package func export(
        _ notes: [String]? = nil, to path: String, isRemembered: Bool = true
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
                let file = try export(note, summary, to: folder, &transfer)
                if isRemembered { try remember(note, in: file) }
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
    ) throws(NoteFailure) -> URL {
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
        // Titles take the place of ids once all is printed, or they would be escaped. Numbers do until then: an id may have letters
        // that are escaped too.
        var links: [RichText.NoteLink] = []
        let numbered = content.mappingRuns { run, isCode in
            guard !isCode, let text = run.text else { return run }
            var (shown, start) = ("", text.startIndex)
            for (range, link) in RichText.linkRanges(in: text) {
                shown += text[start..<range.lowerBound] + Placeholders.text(links.count)
                links.append(link)
                start = range.upperBound
            }
            return run.saying(shown + text[start...])
        }
        let shown = try links.map { link throws(NoteFailure) in try self.shown(link, in: note, content) }
        var markdown = Placeholders.replace(in: numbered.markdown { sources[$0.image] }, count: links.count) {
            index, before, _ in
            // Else it would be embedded.
            before.endsUnescaped(with: UInt8(ascii: "!")) ? "<wbr>" + shown[index] : shown[index]
        }
        // Else it would begin with properties.
        if markdown.hasPrefix("---\n") { markdown = "***" + markdown.dropFirst(3) }
        let name = try NoteFailure.wrapping { try folder.write(Array(markdown.utf8), to: summary.title, ending: ".md") }
        transfer.notes.append(summary)
        return folder.path.appending(path: name).resolvingSymlinksInPath().standardizedFileURL
    }

    /// So that the file, taken back later, changes this note.
    private func remember(_ note: NoteID, in file: URL) throws(NoteFailure) {
        let state = try crdt { try $0.state(of: note.text) }
        try NoteFailure.wrapping { try exchanged.keep(ExchangedFile(file.path, note: note, state: state)) }
    }

    /// A link with titles in place of ids. An id without a known title is kept.
    private func shown(
        _ link: RichText.NoteLink, in note: NoteID, _ content: RichText
    ) throws(NoteFailure) -> String {
        var target = ""
        if let id = link.note { target = try name(of: id) ?? id }
        if let heading = link.heading {
            target += "#" + (try headingText(heading, of: link.note, in: note, content) ?? heading)
        }
        return "[[\(target)]]"
    }

    /// The title of a note; with its folders before it if another note has the same. Nil if that does not tell it either.
    private func name(of id: String) throws(NoteFailure) -> String? {
        guard let title = try indexed({ try $0.titles(of: [id])[id] }) else { return nil }
        let same = try indexed { try $0.resolve(title) }.filter {
            !$0.isDeleted && $0.title.lowercased() == title.lowercased()
        }
        var name = title
        if same.count > 1 {
            let folder = same.first { $0.id == id }?.folder
            let folders = try folderTree().names(above: folder)
            guard !folders.isEmpty, same.count(where: { $0.folder == folder }) == 1 else { return nil }
            name = (folders + [title]).map(ExportFolder.fileName).joined(separator: "/")
        }
        return name.contains { "[]|#".contains($0) || $0.isNewline } ? nil : name
    }

    /// The words of a heading; nil if another one has the same, or a link cannot have them.
    private func headingText(
        _ id: String, of target: String?, in note: NoteID, _ content: RichText
    ) throws(NoteFailure) -> String? {
        var headings = content.headings
        if let target, target != note.text {
            guard let other = try? open(target) else { return nil }
            headings = try crdt { try $0.tree(of: other.text) }.headings
        }
        guard let heading = headings.first(where: { $0.id == id }) else { return nil }
        let isOnly = headings.count { comparableHeading($0.text) == comparableHeading(heading.text) } == 1
        let isTold = !heading.text.isEmpty && !heading.text.contains { "[]|#".contains($0) || $0.isNewline }
        return isOnly && isTold ? heading.text : nil
    }
}

extension FolderTree {
    /// The names of the folders that lead to one; none if it is not shown.
    fileprivate func names(above folder: String?) -> [String] {
        guard let folder, isVisible(folder), let last = self[folder] else { return [] }
        return ancestors(of: folder).reversed().map(\.name) + [last.name]
    }
}
