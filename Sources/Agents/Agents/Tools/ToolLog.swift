package import Foundation
package import Storage

/// What programs had done with Alcove: who, when, what and about what, one JSON object a line. Never what was read or written.
package struct ToolLog: Sendable {
    /// Bytes of one of its two files.
    package static let fileBytes = 1 << 20

    /// Bytes of one entry that there has to be room for before something is done: more than any entry has.
    package static let entryBytes = 16 << 10

    package let path: String
    private let folder: String

    /// - Parameter folder: made if it is missing.
    package init(folder: String) { (path, self.folder) = (folder + "/used.log", folder) }

    /// One use.
    package struct Entry: Sendable, Hashable, Codable {
        package enum Outcome: String, Sendable, Codable {
            case done, failed
            /// It was not granted.
            case refused
        }

        /// ISO 8601, in UTC.
        package var at: String
        /// The name under which the program was started.
        package var client: String
        /// How it calls itself.
        package var says: String?
        package var tool: String
        /// The id of a note or a room, or the app and its command.
        package var about: String?
        package var outcome: Outcome

        package init(
            at: Date = .now, client: String, says: String?, tool: String, about: String?, outcome: Outcome
        ) {
            self.at = at.formatted(.iso8601)
            (self.client, self.says, self.tool, self.about, self.outcome) = (client, says, tool, about, outcome)
        }
    }

    /// Whether the next entry can be written.
    package var isWritable: Bool { (try? withFile { $0.hasRoom(for: Self.entryBytes) }) ?? false }

    /// Opened each time, and held alone: several programs write to it, and put it aside when it is full.
    private func withFile<Value>(_ body: (LogFile) throws(FileError) -> Value) throws(FileError) -> Value {
        let lock = try FolderLock(folder)
        defer { withExtendedLifetime(lock) {} }
        return try body(LogFile(path: path, limit: Self.fileBytes))
    }

    /// Writes one entry. When this returns, it is in the file.
    package func append(_ entry: Entry) throws(FileError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(entry) else { return }
        try withFile { (file) throws(FileError) in try file.append(String(decoding: line, as: UTF8.self)) }
    }

    /// The newest entries, in order.
    package func last(_ count: Int) -> [Entry] {
        var lines: [Substring] = []
        for file in [path + ".1", path] {
            let text = (try? AtomicFile.read(file, atMost: 2 * Self.fileBytes)).map {
                String(decoding: $0, as: UTF8.self)
            }
            lines += text?.split(separator: "\n") ?? []
        }
        return lines.suffix(count).compactMap { try? JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
    }
}
