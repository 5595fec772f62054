import Foundation
import Wire

/// Logs and Yjs updates (V1), byte by byte.
enum UpdateBytes {
    /// Writes a file and the folders above it. What was there is replaced, as syncers do it.
    static func put(_ bytes: Data, _ file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file, options: .atomic)
    }

    static func log(of updates: [UInt8]...) -> Data { log(of: updates) }

    static func log(of updates: [[UInt8]]) -> Data {
        let records = updates.map { update in number(9 + update.count) + [0, 0, 1, 0x9b, 0, 0, 0, 0, 1] + update }
        return Data([0x4e, 0x43, 0x4c, 0x47, 1] + records.joined())
    }

    static func number(_ number: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeVarint(UInt64(number))
        return writer.bytes
    }

    static func text(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) }

    static func structs(_ client: Int, _ items: [[UInt8]]) -> [UInt8] {
        number(items.count) + number(client) + [0] + items.joined()
    }

    static func paragraph(_ words: String, by client: Int = 1) -> [UInt8] {
        let items = [
            [7, 1] + text("content") + [3] + text("paragraph"), [7, 0] + number(client) + [0, 6],
            [4, 0] + number(client) + [1] + text(words),
        ]
        return [1] + structs(client, items) + [0]
    }

    /// Elements in each other, and words in the last one.
    static func deepUpdate(_ depth: Int, words: String) -> [UInt8] {
        let elements = (0..<depth).map { level in
            (level == 0 ? [7, 1] + text("content") : [7, 0] + number(1) + number(level - 1)) + [3]
                + text(level == depth - 1 ? "paragraph" : "blockquote")
        }
        let content = [
            [7, 0] + number(1) + number(depth - 1) + [6], [4, 0] + number(1) + number(depth) + text(words),
        ]
        return [1] + structs(1, elements + content) + [0]
    }

    /// Characters of as many clients in one place, the last of them first: each looks at all that are there.
    /// - Parameter base: a client above all of these, as an update has its clients in descending order.
    static func slowUpdate(_ count: Int, base: Int = 10_000_000) -> [UInt8] {
        let roots = [
            [7, 1] + text("content") + [3] + text("paragraph"), [7, 0] + number(base) + [0, 6],
            [7, 1] + text("chain") + [6],
        ]
        let first = base - count
        let parts = (first..<base).reversed().map { client in
            let chain =
                client == first
                ? [4, 0] + number(base) + [2] + text("c") : [0x84] + number(client - 1) + [1] + text("c")
            return structs(client, [chain, [4, 0] + number(base) + [1] + text("a")])
        }
        return number(count + 1) + structs(base, roots) + parts.joined() + [0]
    }
}
