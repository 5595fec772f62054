/// A room that two people found again without a code.
package struct MetRoom: Sendable, Hashable, Codable {
    /// The creator makes the offer. Which side that is changes from meeting to meeting.
    package var role: LinkRole
    /// This machine's id, used only in this room.
    package var device: String
    /// The room's id on the server.
    package var serverRoom: String
}

/// A machine's record of its meetings with one other side, so that after a crash it continues where it was.
package struct MeetingRecord: Sendable, Codable {
    /// The name under which this machine looks for the other side; stored before the server gets it.
    struct Attempt: Sendable, Equatable, Codable {
        /// ``MeetingPeriod/number``.
        var period: Int64
        /// A fresh name for each period.
        var device: String
        /// The proof for the id that this machine reserved, if it did.
        var ticket: String?
        /// The names under which it looks for the other side in neighbouring periods, one for each.
        var visits: [Int64: String]?
    }

    var attempt: Attempt?
    /// The room of the last meeting.
    var met: MetRoom?
}

/// A room that was found, with the proof for the server.
struct FoundRoom: Sendable {
    var room: MetRoom
    var ticket: String
}
