internal import Storage

/// A log of lines that only this writer writes: what it announced, or which notes it removed.
struct LineLog {
    /// The folder it lies in.
    let folder: String
    let name: String
    /// When it has more than twice this, all but the last so many are dropped; nil keeps every line.
    let linesKept: Int?
    private var lineCount = 0
    /// What it was after our last line; nil if it has to be looked at.
    private var size: Int?

    private static let byteLimit = 64 << 20
    /// Two identifiers and a number.
    private static let lineLimit = 160

    init(folder: String, writer: WriterID, linesKept: Int? = nil) {
        self.folder = folder
        self.name = LineLogName.text(writer)
        self.linesKept = linesKept
    }

    /// - Parameter isDurable: whether it has to survive a power cut before this returns.
    mutating func append(_ line: String, in root: Folder, isDurable: Bool) throws(FileError) {
        let folder = try root.folder(making: folder)
        let isNew = try folder.status(of: name) == nil
        let file = isNew ? try folder.create(name) : try folder.openAppending(name)
        if try file.size() != size { try mend(file) }
        let start = size
        size = nil
        let bytes = Array((line + "\n").utf8)
        try file.write(bytes[...])
        if isDurable { try file.synchronizeData() }
        if isDurable, isNew { try folder.synchronize() }
        size = start.map { $0 + bytes.count }
        lineCount += 1
        if let linesKept, lineCount > 2 * linesKept { try shorten(to: linesKept, in: folder) }
    }

    /// Cuts off a line that was not written whole, and counts the others. What can be no part of one line of ours may be
    /// many that are damaged: it stays, as a line of its own.
    private mutating func mend(_ file: FileDescriptor) throws(FileError) {
        var bytes = try file.readAll(atMost: Self.byteLimit)
        let torn = bytes.suffix(from: (bytes.lastIndex(of: 0x0a) ?? -1) + 1)
        if torn.count <= Self.lineLimit, torn.allSatisfy(Self.isOfLine) {
            bytes.removeLast(torn.count)
            if !torn.isEmpty { try file.truncate(to: Int64(bytes.count)) }
        } else {
            bytes.append(0x0a)
            try file.write([0x0a])
        }
        size = bytes.count
        lineCount = bytes.count { $0 == 0x0a }
    }

    private static func isOfLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "|") || Identifier<Never>.allows(byte)
    }

    private mutating func shorten(to count: Int, in folder: Folder) throws(FileError) {
        let lines = try folder.read(name, atMost: Self.byteLimit).split(separator: 0x0a)
        let kept = lines.suffix(count).flatMap { $0 + [0x0a] }
        try folder.write(kept, to: name)
        (size, lineCount) = (kept.count, min(count, lines.count))
    }
}
