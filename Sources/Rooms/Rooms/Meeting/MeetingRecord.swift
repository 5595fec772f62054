/// A room that two people found again without a code.
package struct MetRoom: Sendable, Hashable, Codable {
    /// The creator's side speaks first; which side that is changes from meeting to meeting.
    package var role: LinkRole
    /// This machine's id in this room and nowhere else.
    package var device: String
    /// The room's id on the server.
    package var serverRoom: String
}

/// What a machine keeps of its meetings with one other side, so that a process that dies goes on where it was.
package struct MeetingRecord: Sendable, Codable {
    /// Under which name this machine looks for the other side; noted before the server hears it.
    struct Attempt: Sendable, Equatable, Codable {
        /// ``MeetingPeriod/number``.
        var period: Int64
        /// A fresh name for each period.
        var device: String
        /// The proof for the id that this machine reserved, if it did.
        var ticket: String?
        /// Under which names it looks for the other side in periods beside this one, each by its own.
        var visits: [Int64: String]?
    }

    var attempt: Attempt?
    /// The room of the last meeting.
    var met: MetRoom?
}

/// A room as it was found: with the proof for the server.
struct FoundRoom: Sendable {
    var room: MetRoom
    var ticket: String
}
