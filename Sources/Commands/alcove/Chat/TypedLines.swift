import Foundation

/// One line of what a person writes.
enum TypedLine: Equatable {
    case line(String)
    /// Cannot be said; the text says why.
    case unsayable(String)
}

/// The lines of standard input. Bytes that are not text are not repaired, because the result would be text that nobody wrote.
struct TypedLines {
    /// Bytes of a line. A message has far fewer, and the core says which are too many.
    private static let limit = 1 << 20

    static let tooLong = "a line has more than 1 MiB; send it as a file, with /file PATH"
    static let notText = "this is not UTF-8 text; set the terminal to UTF-8, and write it again"

    private var bytes: [UInt8] = []
    private var position = 0
    private var isAtEnd = false

    /// All of them, until standard input ends.
    static func stream() -> AsyncStream<TypedLine> {
        let (stream, continuation) = AsyncStream<TypedLine>.makeStream()
        // Reading a line blocks, so it gets a thread of its own.
        Thread.detachNewThread {
            var lines = TypedLines()
            while let line = lines.next() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }

    /// Waits for the next line.
    /// - Returns: nil at the end.
    mutating func next() -> TypedLine? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if position == bytes.count, !fill() {
                return line.isEmpty && !isTooLong ? nil : Self.input(line, isTooLong)
            }
            let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n"))
            line += bytes[position..<(end ?? bytes.count)]
            position = end.map { $0 + 1 } ?? bytes.count
            if line.count > Self.limit { (line, isTooLong) = ([], true) }
            if end != nil { return Self.input(line, isTooLong) }
        }
    }

    /// Reads on.
    /// - Returns: false at the end.
    private mutating func fill() -> Bool {
        guard !isAtEnd else { return false }
        var more = [UInt8](repeating: 0, count: 65_536)
        var count = read(STDIN_FILENO, &more, more.count)
        while count < 0, errno == EINTR { count = read(STDIN_FILENO, &more, more.count) }
        isAtEnd = count <= 0
        (bytes, position) = (Array(more.prefix(max(count, 0))), 0)
        return !isAtEnd
    }

    private static func input(_ line: [UInt8], _ isTooLong: Bool) -> TypedLine {
        if isTooLong { return .unsayable(tooLong) }
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        return String(validating: line, as: UTF8.self).map { .line($0) }
            ?? .unsayable(notText)
    }
}
