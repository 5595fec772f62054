public import Components
internal import Foundation
internal import Synchronization

/// What the components of one app said, and what happened to them: a text file of one line an entry, kept to two files of 1 MiB.
///
/// An app that talks too much loses lines, never anybody else's.
public final class AppLog: Sendable {
    public struct Entry: Hashable, Sendable {
        public enum Level: String, Sendable, Codable, CaseIterable {
            case info, warning, error
        }

        /// Milliseconds since 1970.
        public var time: Int64
        public var level: Level
        /// The entry point of the component, or nil for what the platform says.
        public var component: String?
        public var text: String
        /// What was denied, if that is what happened.
        public var denied: Capability?
    }

    static let fileSize = 1 << 20
    static let entryLength = 16_384
    /// Lines: 2000 at once, and 200 a second.
    static let rate = Rate(burst: 2_000, pause: .milliseconds(5))

    private struct State {
        var allowance = Allowance(AppLog.rate)
        var lost = 0
    }

    /// The file that is written. The one before it has `.1` at its end.
    public let path: String
    private let state = Mutex(State())
    private let heard: @Sendable (Entry) -> Void

    /// - Parameter heard: gets each entry that was written.
    init(path: String, heard: @escaping @Sendable (Entry) -> Void) {
        self.path = path
        self.heard = heard
    }

    func write(_ level: Entry.Level, from component: String?, _ text: String, denying denied: Capability? = nil) {
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000)
        state.withLock { state in
            guard state.allowance.take() else {
                state.lost += 1
                return
            }
            if state.lost > 0 {
                add(Entry(time: now, level: .warning, component: nil, text: "\(state.lost) lines were too many"))
                state.lost = 0
            }
            add(
                Entry(time: now, level: level, component: component, text: Self.shortened(text), denied: denied))
        }
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count <= entryLength ? text : String(decoding: text.utf8.prefix(entryLength), as: UTF8.self) + " …"
    }

    /// Called while the lock is held, so that entries stay in order.
    private func add(_ entry: Entry) {
        append(Self.line(entry))
        heard(entry)
    }

    private func append(_ line: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(line.utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if lseek(descriptor, 0, SEEK_END) > Self.fileSize { _ = rename(path, path + ".1") }
    }

    /// An entry as it stands in the file. What would break the line, or confuse a terminal, is written as an escape.
    static func line(_ entry: Entry) -> String {
        let time = Date(timeIntervalSince1970: Double(entry.time) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        return "\(time)  \(entry.level.rawValue)  \(entry.component ?? "-")  \(printable(entry.text))\n"
    }

    /// A text without control characters.
    public static func printable(_ text: String) -> String {
        var printed = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": printed += "\\n"
            case "\t": printed += "\t"
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isBidiControl:
                printed += "\\u{\(String(scalar.value, radix: 16))}"
            default: printed.unicodeScalars.append(scalar)
            }
        }
        return printed
    }
}
