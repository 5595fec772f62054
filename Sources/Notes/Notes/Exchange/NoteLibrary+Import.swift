internal import CRDTBridge
internal import Foundation
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Makes notes of a Markdown file, or of all in a folder, whose folders become folders of notes. A title that is taken in the
    /// folder gets a number: `Groceries (2)`. Links between the files become links between the notes, and pictures are taken along.
    ///
    /// A file that was imported or exported before changes its note: what was changed in the file since then is changed in the note, and
    /// what was changed in the note stays.
    /// - Parameter isRemembered: whether a later import of the same path is to change these notes; a path that does not last is not remembered.
    package func importMarkdown(
        _ path: String, into folder: String? = nil, isRemembered: Bool = true
    ) async throws(NoteFailure) -> NoteTransfer {
        try checkOpen()
        if let folder { try checkFolder(folder) }
        let exchanged = exchanged
        let files = try ImportFiles(path) { exchanged[$0] }
        var transfer = NoteTransfer(notes: [], media: 0, problems: [])
        let known = try indexed { try $0.notes().map { ($0.title, $0.id, $0.folder) } }
        var report = ImportReport()
        var read: [ImportedNote] = []
        for file in files.imported {
            if let note = try self.read(file, of: files, &transfer, &report) { read.append(note) }
            await Task.yield()
        }
        let names = known.compactMap { known in (try? NoteID(known.1)).map { (known.0, $0) } }
        var links = ImportLinks(files, read, report, known: Self.aliases(in: files) + names) { note in
            (try? self.open(note.text)).flatMap { id in try? self.crdt { try $0.tree(of: id.text) } }
        }
        links.link()
        transfer.kept = links.report.lines
        let taken = Set(known.map { TakenTitle(folder: $0.2, title: $0.0) })
        for note in links.notes {
            do throws(NoteFailure) {
                let id = try await take(note, in: folder, besides: taken, root: files.recordedRoot, &transfer)
                if let id, isRemembered {
                    try keep(note.file, as: id, crdt { try $0.state(of: id.text) }, root: files.recordedRoot)
                }
            } catch {
                // A full disk will not get better.
                guard error.code != .diskFull else { throw error }
                transfer.problems.append("\(note.file.path): \(error.message)")
            }
            await Task.yield()
        }
        return transfer
    }

    /// Nil if the file cannot be imported.
    private func read(
        _ file: ImportFiles.File, of files: ImportFiles, _ transfer: inout NoteTransfer, _ report: inout ImportReport
    ) throws(NoteFailure) -> ImportedNote? {
        guard var text = Self.text(of: file.url) else {
            transfer.problems.append(
                "\(file.path) was left out: it cannot be read, is no text in UTF-8, or has more than "
                    + "\(ImportFiles.byteLimit >> 20) MiB")
            return nil
        }
        let front = FrontMatter(takenFrom: &text)
        for name in Set(front?.unknown ?? []) { report.note("the property “\(name)”", in: file) }
        let imported = ImportedText(text) { files.isPicture($0, in: file) }
        let base = try file.state.map { state throws(NoteFailure) in try crdt { try $0.tree(of: [state]) } }
        let shown = Dictionary((base?.imageReferences ?? []).map { ($0.image, $0) }) { first, _ in first }
        let writer = try writer()
        let directory = directoryID
        var (stored, lost): (Set<String>, [String]) = ([], [])
        let content = RichText(markdown: imported.markdown, knowing: base) { source in
            let address = imported.part(behind: source)?.address ?? source
            guard let bytes = files.picture(address, in: file), let media = try? writer.store(bytes) else {
                lost.append(address)
                return nil
            }
            stored.insert(address)
            return shown[media.id.text] ?? RichText.ImageReference(image: media.id.text, storage: directory)
        }
        transfer.media += stored.count
        transfer.problems += Set(lost).filter { !$0.contains(":") }.sorted().map {
            "\(file.path): there is no picture \($0) of a kind that notes hold"
        }
        return ImportedNote(file, imported, content, front)
    }

    /// The other names of files that are not imported, which links of the imported ones may have.
    private static func aliases(in files: ImportFiles) -> [(String, NoteID)] {
        let imported = Set(files.imported.map(\.note))
        return files.files.filter { !imported.contains($0.note) }.flatMap { file -> [(String, NoteID)] in
            guard var text = text(of: file.url), let front = FrontMatter(takenFrom: &text) else { return [] }
            return front.aliases.map { ($0, file.note) }
        }
    }

    /// The text of a file, with line feeds at the ends of its lines.
    private static func text(of url: URL) -> String? {
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= ImportFiles.byteLimit,
            let data = try? Data(contentsOf: url), data.count <= ImportFiles.byteLimit
        else { return nil }
        let isWide = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        guard let text = String(data: data, encoding: isWide ? .utf16 : .utf8) else { return nil }
        let plain = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        guard plain.utf8.contains(0x0D) else { return plain }
        return plain.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }

    private struct TakenTitle: Hashable {
        let folder: String?
        let title: String
    }

    /// Makes a note, or changes the one that was made before.
    /// - Returns: the note that was made.
    private func take(
        _ note: ImportedNote, in folder: String?, besides taken: Set<TakenTitle>, root: String?,
        _ transfer: inout NoteTransfer
    ) async throws(NoteFailure) -> NoteID? {
        if let state = note.file.state, directory.holds(note.file.note), !deletions.notes.contains(note.file.note.text)
        {
            try update(note, from: state, root: root, &transfer)
            return nil
        }
        let place = try await folders(note.file.folders, in: folder)
        var title = note.content.title
        var number = 1
        while taken.contains(TakenTitle(folder: place, title: title)) {
            number += 1
            title = "\(note.content.title) (\(number))"
        }
        // One that was removed for good is another note from now on.
        let isRemoved = deletions.notes.contains(note.file.note.text)
        let id = isRemoved ? NoteID.random() : note.file.note
        let content = number == 1 ? note.content : note.content.titled(title)
        transfer.notes.append(try make(id, content, in: place))
        return id
    }

    /// Changes in a note what was changed in its file.
    private func update(
        _ note: ImportedNote, from state: [UInt8], root: String?, _ transfer: inout NoteTransfer
    ) throws(NoteFailure) {
        let id = try open(note.file.note.text)
        let old = try crdt { try $0.tree(of: [state]) }
        var content = note.content
        // The number that the title got, because it was taken, stays.
        let number = old.title.wholeMatch(of: /(.*) \(\d{1,6}\)/)
        if let number, number.1 == content.title { content = content.titled(old.title) }
        let markdown = content.markdown()
        let new = RichText(markdown: markdown, editing: old).takingNewHeadings(of: content)
        let edits = RichText.difference(from: old, to: new)
        guard !edits.isEmpty else { return transfer.unchanged += 1 }
        if let name = new.elementMadeCode(editing: old) { throw NoteFailure.changedInside(name) }
        _ = try openForChange(id.text)
        let client = ShownRevisions.client(state, markdown)
        let summary = try commitContent(to: id) { bridge in
            // With the state, which the note may lack if its folder was put back to an older copy.
            try bridge.edit(id.text, from: state, as: client, edits).map { [state, $0] } ?? []
        }
        transfer.notes.append(summary)
        transfer.updated += 1
        let after = try crdt { bridge in
            let probe = "import:"
            defer { bridge.release(probe) }
            try bridge.load(probe, [state])
            _ = try bridge.edit(probe, from: state, as: client, edits)
            return try bridge.state(of: probe)
        }
        try keep(note.file, as: id, after, root: root)
    }

    private func keep(
        _ file: ImportFiles.File, as note: NoteID, _ state: [UInt8], root: String?
    ) throws(NoteFailure) {
        try NoteFailure.wrapping {
            try exchanged.keep(ExchangedFile(file.url.path, note: note, state: state, root: root))
        }
    }

    /// The folder of notes at the end of these names; those that are missing are made.
    private func folders(_ names: [String], in parent: String?) async throws(NoteFailure) -> String? {
        var place = parent
        for name in names {
            let known = try folderTree().children(of: place).first { $0.name == name }
            place = if let known { known.id } else { try await createFolder(name, in: place).id }
        }
        return place
    }
}

extension RichText {
    /// With the ids of headings that Markdown does not show.
    fileprivate func takingNewHeadings(of content: RichText) -> RichText {
        var taken = self
        let (own, others) = (headings, content.headings)
        guard own.count == others.count else { return self }
        for (heading, other) in zip(own, others) where heading.text == other.text && heading.id == nil {
            if let id = other.id { taken.setHeadingID(id, at: heading.path) }
        }
        return taken
    }
}
