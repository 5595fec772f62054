internal import Wire

/// The public id that leads to a room: a join code of exactly six ASCII digits, or the id of a meeting, exactly 26
/// characters of lowercase base32.
struct JoinID: Equatable, Sendable {
    let text: String

    init?(_ value: JSONValue?) {
        guard let text = value?.string, Self.isCode(text) || Self.isMeeting(text) else { return nil }
        self.text = text
    }

    /// Whether guessing it is feasible: there are a million codes, but 2¹²⁸ meetings.
    static func isGuessable(_ text: String) -> Bool { !isMeeting(text) }

    private static func isCode(_ text: String) -> Bool {
        text.utf8.count == 6 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func isMeeting(_ text: String) -> Bool {
        text.utf8.count == 26 && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x32...0x37).contains($0) }
    }
}

/// The id that a device chose for itself: any text up to a limit.
enum DeviceID {
    static let limit = 128

    static func isValid(_ value: JSONValue?) -> Bool {
        guard let text = value?.string else { return false }
        return !text.isEmpty && text.utf8.count <= limit
    }
}
