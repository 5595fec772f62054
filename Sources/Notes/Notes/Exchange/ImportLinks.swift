internal import Cryptography
internal import Foundation
internal import NoteFiles
internal import RichText

/// Finds what the links of imported files mean.
struct ImportLinks {
    let files: ImportFiles
    var notes: [ImportedNote]
    var report = ImportReport()
    private let fileNames: [String: [Int]]
    /// Notes by other names: aliases and titles, of the import first.
    private let others: [String: NoteID]
    private let indices: [NoteID: Int]
    /// The names of notes that are not in the import.
    private let names: [NoteID: [String]]
    private let content: (NoteID) -> RichText?
    /// The headings of the notes that links have led to.
    private var headings: [NoteID: HeadingTable] = [:]

    /// - Parameters:
    ///   - known: titles and aliases of notes that are here already.
    ///   - content: what such a note says.
    init(
        _ files: ImportFiles, _ notes: [ImportedNote], _ report: ImportReport, known: [(name: String, note: NoteID)],
        content: @escaping (NoteID) -> RichText?
    ) {
        self.content = content
        names = Dictionary(grouping: known + files.files.map { ($0.name, $0.note) }, by: \.note).mapValues {
            $0.map(\.name)
        }
        (self.files, self.notes, self.report) = (files, notes, report)
        fileNames = files.names
        indices = Dictionary(notes.indices.map { (notes[$0].file.note, $0) }) { first, _ in first }
        var others: [String: NoteID] = [:]
        let own = notes.flatMap { note in note.names.map { ($0, note.file.note) } }
        for (name, note) in own + known where others[name.lowercased()] == nil {
            others[name.lowercased()] = note
        }
        self.others = others
    }

    /// Puts links to notes in the place of all that means a note.
    mutating func link() {
        for index in notes.indices {
            let note = notes[index]
            let content = note.content.mappingElements { element in
                var element = element
                if element.name == "notecoveImage" { note.caption(&element) }
                return element
            }
            let linked = content.mappingRuns { run, isCode in self.link(run, isCode: isCode, in: note) }
            // Headings got ids meanwhile, in this note too.
            notes[index].content = linked.takingHeadingIDs(of: notes[index].content)
        }
    }

    private mutating func link(_ run: RichText.Run, isCode: Bool, in note: ImportedNote) -> RichText.Run {
        guard let text = run.text else { return run }
        if isCode { return run.saying(note.text.restoring(text)) }
        var run = run
        if let address = run.address {
            if let part = note.text.part(behind: address) {
                return RichText.Run(note.text.parts[part.index].source, run.marks.filter { $0.key != "link" })
            }
            let target = files.note(behind: address, in: note.file)
            let heading = address.firstIndex(of: "#").map { String(address[address.index(after: $0)...]) }
            if target != nil || address.hasPrefix("#") {
                let words = note.text.restoring(text)
                let path = heading.map { $0.removingPercentEncoding ?? $0 }
                if let link = spelling(target, path, words == address ? nil : words, in: note) {
                    return RichText.Run(link, run.marks.filter { $0.key != "link" })
                }
            } else if !address.contains(":") {
                report.note("links to files that are not notes here", in: note.file)
            }
            if case .object(var link) = run.marks["link"] {
                link["href"] = .string(note.text.restoring(address))
                run.marks["link"] = .object(link)
            }
            return run.saying(note.text.restoring(text))
        }
        let parts = note.text.parts
        return run.saying(
            Placeholders.replace(in: text, count: parts.count) { index, _, _ in self.text(of: parts[index], in: note) })
    }

    private mutating func text(of part: (part: ImportedText.Part, source: String), in note: ImportedNote) -> String {
        switch part.part {
        case .footnote:
            report.note("footnotes", in: note.file)
            return part.source
        case .picture: return part.source
        case .link(let link), .embed(let link):
            let target = link.name.isEmpty ? nil : self.note(named: link.name, in: note.file)
            guard link.name.isEmpty || target != nil, let text = spelling(target, link.heading, link.words, in: note)
            else {
                report.note("links to notes that are not here", in: note.file)
                return part.source
            }
            if case .embed = part.part { report.note("embedded notes, which are links now", in: note.file) }
            return text
        }
    }

    private func note(named name: String, in file: ImportFiles.File) -> NoteID? {
        files.note(named: name, in: file, fileNames) ?? others[name.lowercased()]
            ?? others[ImportFiles.comparable(name)]
    }

    /// A link to a note, or to a heading of this one. Words that are not the title stand before it.
    private mutating func spelling(
        _ target: NoteID?, _ heading: String?, _ words: String?, in note: ImportedNote
    ) -> String? {
        var link = target?.text ?? ""
        var missing = ""
        if let heading, !heading.isEmpty {
            if let id = headingID(heading, of: target ?? note.file.note) {
                link += "#" + id
            } else {
                guard target != nil else { return nil }
                report.note("parts of notes in links, of which nothing is known", in: note.file)
                missing = " (\(heading))"
            }
        }
        guard !link.isEmpty else { return nil }
        let known = target.map { target in (indices[target].map { notes[$0].names } ?? []) + (self.names[target] ?? [])
        }
        let names = known ?? []
        let isTitle = words.map { words in names.contains { $0.lowercased() == words.lowercased() } } ?? true
        let text = "[[\(link)]]\(missing)"
        guard let words, !words.isEmpty, !isTitle || heading != nil else { return text }
        return "\(words) (\(text))"
    }

    /// The id of a heading, which gets one if it has none.
    private mutating func headingID(_ wanted: String, of target: NoteID) -> String? {
        let index = indices[target]
        if headings[target] == nil {
            headings[target] = index.map { notes[$0].headingTable } ?? content(target).map(HeadingTable.init)
        }
        guard let path = headings[target]?.path(of: wanted) else { return nil }
        if let id = headings[target]?.ids[path] { return id }
        // A note that is not in the import stays as it is.
        guard let index else { return nil }
        let digest = HashFunction.sha256.digest(Array("\(target) \(comparableHeading(wanted))".utf8))
        let id = "h_" + digest.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        notes[index].content.setHeadingID(id, at: path)
        headings[target]?.ids[path] = id
        return id
    }
}

extension ImportedNote {
    /// Gives a picture that was embedded its words and its width.
    func caption(_ image: inout RichText.Element) {
        guard let alt = image.attributes["alt"]?.string else { return }
        var caption: (String, String?)?
        let rest = Placeholders.replace(in: alt, count: text.parts.count) { index, _, _ in
            if case .picture(_, let words, let width) = text.parts[index].part { caption = (words, width) }
            return ""
        }
        guard let caption, rest.isEmpty else { return image.attributes["alt"] = .string(text.restoring(alt)) }
        image.attributes["alt"] = caption.0.isEmpty ? nil : .string(caption.0)
        if let width = caption.1 { image.attributes["width"] = .string(width) }
    }
}

extension RichText {
    mutating func setHeadingID(_ id: String, at path: Path) {
        Self.setHeadingID(id, at: path[...], in: &blocks)
    }

    private static func setHeadingID(_ id: String, at path: ArraySlice<Int>, in nodes: inout [Node]) {
        guard let index = path.first, nodes.indices.contains(index), case .element(var element) = nodes[index] else {
            return
        }
        // While the array still held the element, each change would copy all children.
        nodes[index] = .text([])
        if path.count == 1 {
            element.attributes["id"] = .string(id)
        } else {
            setHeadingID(id, at: path.dropFirst(), in: &element.children)
        }
        nodes[index] = .element(element)
    }

    /// The ids of another document of the same shape.
    fileprivate func takingHeadingIDs(of other: RichText) -> RichText {
        var taken = self
        for heading in other.headings { if let id = heading.id { taken.setHeadingID(id, at: heading.path) } }
        return taken
    }
}
