internal import Foundation
internal import NoteFiles
internal import RichText

/// A file of an import while it becomes a note.
struct ImportedNote {
    let file: ImportFiles.File
    let text: ImportedText
    var content: RichText
    /// Other names of the note in links, its title among them.
    private(set) var names: [String]

    /// Gives the content the title that the note has: that of the front matter, the only heading of the first level at its beginning, or
    /// the name of the file.
    init(_ file: ImportFiles.File, _ text: ImportedText, _ content: RichText, _ front: FrontMatter?) {
        (self.file, self.text) = (file, text)
        names = front?.aliases ?? []
        self.content = content
        let own = text.restoring(content.title)
        let title = front?.title ?? (Self.isTitled(content) || Self.names(own, file) ? own : file.name)
        if title != own {
            let block = RichText.Node.element(.init("paragraph", [:], [.text([.init(title)])]))
            self.content.blocks = content.blocks == [.element(.init("paragraph"))] ? [block] : [block] + content.blocks
        }
        names.append(title)
        let more = front?.blocks(besides: content) ?? []
        let first = self.content.blocks.firstIndex { RichText([$0]).contentText.contains { !$0.isWhitespace } }
        self.content.blocks.insert(contentsOf: more, at: first.map { $0 + 1 } ?? self.content.blocks.endIndex)
    }

    /// Whether a file with this title was exported under its name, perhaps with a number.
    private static func names(_ title: String, _ file: ImportFiles.File) -> Bool {
        var name = file.name
        while let number = name.firstMatch(of: /\ \(\d{1,6}\)$/), name != ExportFolder.fileName(title) {
            name.removeSubrange(number.range)
        }
        return ExportFolder.fileName(title) == name
    }

    private static func isTitled(_ content: RichText) -> Bool {
        let first = content.blocks.first { RichText([$0]).contentText.contains { !$0.isWhitespace } }
        guard case .element(let element) = first, element.name == "heading" else { return false }
        return content.headings.first?.level == 1 && content.headings.count { $0.level == 1 } == 1
    }

    /// The headings by what they say, made once for all links.
    var headingTable: HeadingTable {
        HeadingTable(content, text.restoring)
    }
}

/// Finds a heading of a note by its words or its id: the first that has them.
struct HeadingTable {
    private var paths: [String: RichText.Path] = [:]
    private var pathsOfIDs: [String: RichText.Path] = [:]
    var ids: [RichText.Path: String] = [:]

    init(_ content: RichText) { self.init(content) { $0 } }

    /// - Parameter words: what the text of a heading says.
    init(_ content: RichText, _ words: (String) -> String) {
        for heading in content.headings { add(heading.path, comparableHeading(words(heading.text)), heading.id) }
    }

    private mutating func add(_ path: RichText.Path, _ words: String, _ id: String?) {
        if paths[words] == nil { paths[words] = path }
        guard let id else { return }
        ids[path] = id
        if pathsOfIDs[id] == nil { pathsOfIDs[id] = path }
    }

    func path(of wanted: String) -> RichText.Path? {
        let last = comparableHeading(wanted.split(separator: "#").last.map(String.init) ?? wanted)
        return paths[last] ?? pathsOfIDs[wanted]
    }
}
