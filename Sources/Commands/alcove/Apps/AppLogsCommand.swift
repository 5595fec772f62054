import AppPacks
import Apps
import Components
import Foundation
import Storage

/// `alcove app logs`
struct AppLogsCommand: Command {
    static let reference = CommandReference(
        "app logs", "NAME [-f] [--denied] [--lines N] [--json]",
        "show what the parts of an app said, and what was denied to them",
        takes: .one("the name of an app"),
        options: AppOptions.all + [
            .flag("follow", "go on with what comes, until Control-C"),
            .flag("denied", "only what was denied to it"),
            .value("lines", "N", "how many of the last lines, and as many of what was denied (default 100)"),
            AppOptions.jsonLines,
        ],
        examples: ["alcove app logs feed-reader -f"])

    private let arguments: Arguments
    private let name: String
    private let count: Int

    init(arguments: Arguments) throws {
        name = arguments.operands[0]
        count = try arguments.integer("lines", in: 0...1_000_000) ?? 100
        self.arguments = arguments
    }

    func run() async throws {
        let library = try AppOptions.library(arguments)
        let app = try AppOptions.app(name, in: library)
        // Apart from each other, so that what an app says never takes the place of what was denied to it.
        var paths = [library.denialsFile(of: app.domain)]
        if !arguments.has("denied") { paths.append(library.logFile(of: app.domain)) }
        var tails = paths.map { LogTail(path: $0) }
        for line in LogTail.merged(tails.indices.map { tails[$0].last(count) }) {
            try show(line)
        }
        guard arguments.has("follow") else { return }
        let signals = await Signals()
        let printing = Task { [tails] in
            var tails = tails
            while !Task.isCancelled {
                for line in LogTail.merged(tails.indices.map { tails[$0].more() }) {
                    try show(line)
                }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        await signals.wait()
        printing.cancel()
    }

    private func show(_ line: String) throws {
        let entry = Entry(line)
        guard arguments.has("json") else { return Terminal.print(.text(entry.plain, margin: AppLog.margin)) }
        try Terminal.print(json: entry)
    }

    /// An entry of the log for a script.
    struct Entry: Encodable {
        /// ISO 8601, in UTC.
        var time: String
        var level: String
        /// The component that said it; `-` for what was said about the app.
        var component: String
        var text: String

        init(_ line: String) {
            var rest = line[...]
            var fields: [String] = []
            while fields.count < 3, let end = rest.firstRange(of: "  ") {
                fields.append(String(rest[..<end.lowerBound]))
                rest = rest[end.upperBound...]
            }
            fields += Array(repeating: "", count: 3 - fields.count)
            (time, level, component, text) = (fields[0], fields[1], fields[2], String(rest))
        }

        /// For a person: with the time of this machine.
        var plain: String {
            let time = WrittenTime.milliseconds(time).map { WrittenTime.text($0) } ?? time
            return [time, level, component, text].joined(separator: "  ")
        }
    }
}

/// The end of a log file that is written while it is read, and begun anew now and then.
struct LogTail {
    private let path: String
    private var offset: UInt64 = 0
    private var inode: UInt64 = 0
    private var rest: [UInt8] = []

    init(path: String) { self.path = path }

    /// The last lines, of the file before this one too; what comes later is read by ``more()``.
    mutating func last(_ count: Int) -> [String] {
        let older = (try? Data(contentsOf: URL(fileURLWithPath: path + ".1"))).map { Self.lines(Array($0)) } ?? []
        return Array((older + more()).suffix(count))
    }

    /// Lines of several files in the order of their times, with which they begin.
    static func merged(_ files: [[String]]) -> [String] {
        files.joined().enumerated().sorted {
            ($0.element.prefix(24), $0.offset) < ($1.element.prefix(24), $1.offset)
        }
        .map(\.element)
    }

    /// The lines that were written since.
    mutating func more() -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        var lines: [String] = []
        if UInt64(status.st_ino) != inode || UInt64(status.st_size) < offset {
            // It was renamed, and perhaps not read to its end.
            lines = read(path + ".1")
            offset = 0
            rest = []
            inode = UInt64(status.st_ino)
        }
        return lines + read(path)
    }

    /// What is new in a file, if it is the one that is being read.
    private mutating func read(_ path: String) -> [String] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0, UInt64(status.st_ino) == inode else { return [] }
        guard (try? handle.seek(toOffset: offset)) != nil, let data = try? handle.readToEnd() else { return [] }
        offset += UInt64(data.count)
        rest += data
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { rest.removeFirst(end + 1) }
        return Self.lines(Array(rest[...end]))
    }

    /// Entries: lines, each with those after it that have a margin.
    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").reduce(into: []) { entries, line in
            if line.hasPrefix(AppLog.margin), !entries.isEmpty {
                entries[entries.count - 1] += "\n" + line.dropFirst(AppLog.margin.count)
            } else {
                entries.append(String(line))
            }
        }
    }
}
