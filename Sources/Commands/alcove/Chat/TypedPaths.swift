import Foundation

/// The files that a person names in a line: `~/a.pdf "with space.jpg" with\ space.png FOLDER`. A folder stands for the files
/// in it and in its folders, without those whose names begin with a dot.
struct TypedPaths {
    /// Files in one line.
    static let limit = 100

    /// Paths of files that can be read, links followed.
    private(set) var files: [String] = []
    /// What is wrong with the others, a sentence each.
    private(set) var problems: [String] = []

    init(_ line: String) {
        // Who drags a file into the window or copies its path often has blanks in it and no quotes.
        let names = FileManager.default.fileExists(atPath: Self.path(line)) ? [line] : Self.words(line)
        for name in names { add(name) }
        if files.count > Self.limit {
            problems.append(
                "these are \(files.count) files, and a line takes \(Self.limit); send the folder as an archive")
            files = []
        }
    }

    private mutating func add(_ name: String) {
        let path = Self.path(name)
        switch Self.kind(path) {
        case .typeRegular where FileManager.default.isReadableFile(atPath: path): files.append(path)
        case .typeDirectory:
            let found = Self.files(in: path)
            if found.isEmpty { problems.append("\(name) has no files that can be read") }
            files += found
        default: problems.append("\(name) is no file that can be read; check the path")
        }
    }

    private static func files(in folder: String) -> [String] {
        let found = FileManager.default.enumerator(
            at: URL(fileURLWithPath: folder), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        // One more than are taken tells that they are too many.
        let all = (found?.lazy.compactMap { ($0 as? URL)?.path } ?? []).filter {
            kind($0) == .typeRegular && FileManager.default.isReadableFile(atPath: $0)
        }
        return all.prefix(limit + 1).sorted()
    }

    private static func kind(_ path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: (name as NSString).expandingTildeInPath).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Where something is to go: one path, with quotes or without, links kept. A slash at the end says that it is a folder.
    static func place(_ line: String) -> String {
        let words = words(line)
        let name = words.count == 1 ? words[0] : line
        let path = URL(fileURLWithPath: (name as NSString).expandingTildeInPath).standardizedFileURL.path
        return name.hasSuffix("/") && path != "/" ? path + "/" : path
    }

    /// As a shell does: blanks part words, unless they stand in quotes or behind a backslash.
    static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            switch (character, quote) {
            case _ where isEscaped:
                word = (word ?? "") + String(character)
                isEscaped = false
            case ("\\", let open) where open != "'":
                isEscaped = true
                word = word ?? ""
            case (let mark, let open?) where mark == open: quote = nil
            case ("\"", nil), ("'", nil):
                quote = character
                word = word ?? ""
            case (" ", nil), ("\t", nil):
                if let done = word { words.append(done) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
