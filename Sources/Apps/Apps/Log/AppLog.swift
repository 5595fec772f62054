package import Components
internal import Foundation
internal import Synchronization
internal import Wire

/// What the components of one app said, and, apart from it, what was denied to them: text files of one line an entry, and further ones
/// with a margin, two of 1 MiB each.
///
/// An app that logs too much loses lines of its own, but not of other apps, and not those that say what was denied to it.
package final class AppLog: Sendable {
    package struct Entry: Hashable, Sendable {
        package enum Level: String, Sendable, Codable, CaseIterable {
            case info, warning, error
        }

        /// Milliseconds since 1970.
        package var time: Int64
        package var level: Level
        /// The entry point of the component, or nil for what the platform says.
        package var component: String?
        package var text: String
        /// What was denied, if that is what happened.
        package var denied: Capability?
    }

    static let entryLength = 16_384
    /// Lines: 2000 at once, and 200 a second.
    static let rate = Rate(burst: 2_000, pause: .milliseconds(5))
    /// Bytes of a line that says what was denied: some name an address that the app chose.
    static let denialLength = 512
    /// The newest entries, which the menu of a window shows, and bytes of each.
    static let (newestCount, newestLength) = (50, 1_024)
    /// How often the denials of one capability are written: 50 at once, then one a minute.
    static let denialRate = Rate(burst: 50, pause: .seconds(60))

    private struct State {
        var said = LineCount(AppLog.rate)
        var denied: [Capability?: LineCount] = [:]
        var newest: [Entry] = []
    }

    private let said: LogFiles
    private let denials: LogFiles
    private let state = Mutex(State())
    private let heard: @Sendable (Entry) -> Void

    /// - Parameters:
    ///   - path: of the file that is written. The one before it has `.1` at its end.
    ///   - denials: the same for what was denied.
    ///   - heard: gets each entry that was written.
    init(path: String, denials: String, heard: @escaping @Sendable (Entry) -> Void) {
        said = LogFiles(path: path)
        self.denials = LogFiles(path: denials)
        self.heard = heard
    }

    func write(_ level: Entry.Level, from component: String?, _ text: String) {
        state.withLock { state in
            guard let lost = state.said.take() else { return }
            if lost > 0 { add(Entry(.warning, nil, "\(lost) lines were too many"), to: said, &state) }
            add(Entry(level, component, Self.shortened(text, Self.entryLength)), to: said, &state)
        }
    }

    /// Notes what was denied to the app.
    /// - Parameter capability: the one that it lacks, if that is the reason.
    func deny(_ text: String, from component: String?, lacking capability: Capability? = nil) {
        state.withLock { state in
            guard let lost = state.denied[capability, default: LineCount(Self.denialRate)].take() else { return }
            let before = lost > 0 ? "denied \(lost) times more; " : ""
            var entry = Entry(.warning, component, Self.shortened("\(before)denied: \(text)", Self.denialLength))
            entry.denied = capability
            add(entry, to: denials, &state)
        }
    }

    /// What was said and denied last since the app was started, the oldest first.
    var newest: [Entry] { state.withLock { $0.newest } }

    private static func shortened(_ text: String, _ length: Int) -> String {
        text.utf8.count <= length ? text : String(decoding: text.utf8.prefix(length), as: UTF8.self) + " …"
    }

    /// Called while the lock is held, so that entries stay in order.
    private func add(_ entry: Entry, to files: LogFiles, _ state: inout State) {
        files.append(Self.line(entry))
        if state.newest.count == Self.newestCount { state.newest.removeFirst() }
        var short = entry
        short.text = Self.shortened(entry.text, Self.newestLength)
        state.newest.append(short)
        heard(entry)
    }

    /// Before each line of an entry but its first, so that no entry looks like several.
    package static let margin = "    "

    /// An entry as it stands in the file. What would confuse a terminal is written as an escape.
    static func line(_ entry: Entry) -> String {
        let time = Date(timeIntervalSince1970: Double(entry.time) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return
            "\(time)  \(entry.level.rawValue)  \(entry.component ?? "-")  \(PrintableText.lines(entry.text, margin: margin))\n"
    }
}

extension AppLog.Entry {
    /// An entry with the present time.
    fileprivate init(_ level: Level, _ component: String?, _ text: String) {
        self.init(
            time: Int64(Date.now.timeIntervalSince1970 * 1_000), level: level, component: component, text: text,
            denied: nil)
    }
}

/// Lines that may be written, and how many could not.
private struct LineCount {
    private var allowance: Allowance
    private var lost = 0

    init(_ rate: Rate) { allowance = Allowance(rate) }

    /// - Returns: how many were lost before this one; nil if it is lost, too.
    mutating func take() -> Int? {
        guard allowance.take() else {
            lost += 1
            return nil
        }
        defer { lost = 0 }
        return lost
    }
}

/// A file that lines are written to, and the one before it, which has `.1` at its end.
struct LogFiles: Sendable {
    /// Bytes of one file.
    static let fileSize = 1 << 20

    let path: String

    /// Adds lines. What cannot be written is lost.
    func append(_ lines: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(lines.utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if lseek(descriptor, 0, SEEK_END) > Self.fileSize { _ = rename(path, path + ".1") }
    }
}
