/// A line of a deletion log: this note was removed for good.
package struct Deletion: Hashable, Sendable {
    package let note: NoteID
    /// Milliseconds since 1970.
    package let time: Int64

    package init(note: NoteID, time: Int64) {
        self.note = note
        self.time = time
    }

    /// `note|milliseconds`. nil for everything else.
    package init?(line: Substring) {
        let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        guard fields.count >= 2, let note = try? NoteID(fields[0]), let time = Int64(fields[1]) else { return nil }
        self.init(note: note, time: time)
    }

    package var line: String { "\(note)|\(time)" }
}
