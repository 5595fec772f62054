internal import CRDTBridge
internal import Foundation
internal import NoteFiles
internal import NoteIndex
internal import RichText

extension NoteLibrary {
    /// Makes notes of a Markdown file, or of all in a folder, whose folders become folders of notes. A title that is taken
    /// gets a number: `Groceries (2)`. Links between the files become links between the notes, and pictures beside them are taken along.
    public func importMarkdown(
        _ path: String, into folder: String? = nil
    ) async throws(NoteFailure) -> NoteTransfer {
        try checkOpen()
        if let folder { try checkFolder(folder) }
        let files = try ImportFiles(path)
        var transfer = NoteTransfer(notes: [], media: 0, problems: [])
        var titles = ImportTitles(try indexed { try $0.notes().map { ($0.title, $0.id) } })
        var contents: [(ImportFiles.File, RichText)] = []
        for file in files.files {
            guard let content = try read(file, of: files, &transfer) else { continue }
            contents.append((file, titles.take(content, of: file)))
        }
        for (file, content) in contents {
            let place = try await folders(file.folders, in: folder)
            let linked = content.mappingRuns { run in titles.linking(run, in: file, of: files) }
            transfer.notes.append(try make(file.note, linked, in: place))
            await Task.yield()
        }
        return transfer
    }

    /// Nil if the file cannot be imported.
    private func read(
        _ file: ImportFiles.File, of files: ImportFiles, _ transfer: inout NoteTransfer
    ) throws(NoteFailure) -> RichText? {
        guard let data = try? Data(contentsOf: file.url), data.count <= ImportFiles.byteLimit else {
            transfer.problems.append(
                "\(file.url.path) was left out: it cannot be read or has more than \(ImportFiles.byteLimit >> 20) MiB")
            return nil
        }
        let writer = try writer()
        let directory = directoryID
        var (stored, lost): ([String], [String]) = ([], [])
        let content = RichText(markdown: String(decoding: data, as: UTF8.self)) { source in
            guard let bytes = files.picture(source, in: file), let media = try? writer.store(bytes) else {
                lost.append(source)
                return nil
            }
            stored.append(source)
            return RichText.ImageReference(image: media.id.text, storage: directory)
        }
        transfer.media += stored.count
        transfer.problems += lost.filter { !$0.contains(":") }.map { "\(file.url.path): there is no picture \($0)" }
        return content
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

/// The titles of notes while some are imported.
struct ImportTitles {
    private var notes: [String: String]

    init(_ known: [(title: String, id: String)]) {
        notes = Dictionary(known.map { ($0.title, $0.id) }) { first, _ in first }
    }

    /// Gives the note of a file a title that no other note has.
    ///
    /// A file whose first block is no title (a heading, or its own name) gets its name as one.
    mutating func take(_ content: RichText, of file: ImportFiles.File) -> RichText {
        var title = content.title
        let hasTitle = content.startsWithHeading || ExportFolder.fileName(title) == file.name
        if !hasTitle { title = file.name }
        let wanted = title
        var number = 1
        while notes[title] != nil {
            number += 1
            title = "\(wanted) (\(number))"
        }
        notes[title] = file.note.text
        if !hasTitle {
            return RichText([.element(.init("paragraph", [:], [.text([.init(title)])]))] + content.blocks)
        }
        return title == content.title ? content : content.titled(title)
    }

    /// A run with links to notes in the place of links to their files, or of their titles in brackets.
    func linking(_ run: RichText.Run, in file: ImportFiles.File, of files: ImportFiles) -> RichText.Run {
        if let note = run.address.flatMap({ files.note(behind: $0, in: file) }) {
            return RichText.Run("[[\(note)]]", run.marks.filter { $0.key != "link" })
        }
        guard let text = run.text, text.contains("[[") else { return run }
        return run.saying(
            text.replacing(/\[\[([^\[\]]{1,200})\]\]/) { match in
                notes[String(match.1)].map { "[[\($0)]]" } ?? String(match.0)
            })
    }
}

extension RichText {
    fileprivate var startsWithHeading: Bool {
        let first = blocks.first { node in RichText([node]).contentText.contains { !$0.isWhitespace } }
        return if case .element(let element) = first { element.name == "heading" } else { false }
    }
}
