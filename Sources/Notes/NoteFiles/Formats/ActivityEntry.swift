/// A line of an activity log: the log of this writer for this note reaches this sequence number now.
///
/// It only says where to look. A line can be missing, late, or come before the record it speaks of.
package struct ActivityEntry: Hashable, Sendable {
    package let note: NoteID
    /// The profile, or in older lines the instance, of the author.
    package let writer: WriterID
    package let sequence: UInt64

    package init(note: NoteID, writer: WriterID, sequence: UInt64) {
        self.note = note
        self.writer = writer
        self.sequence = sequence
    }

    /// `note|writer|sequence`, or in older logs `note|writer_sequence`. nil for everything else.
    package init?(line: Substring) {
        let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        guard let note = fields.first, let id = try? NoteID(note) else { return nil }
        var (writer, number): (Substring, Substring)
        if fields.count >= 3 {
            (writer, number) = (fields[1], fields[2])
        } else if fields.count == 2, let last = fields[1].lastIndex(of: "_") {
            (writer, number) = (fields[1][..<last], fields[1][fields[1].index(after: last)...])
        } else {
            return nil
        }
        guard let writer = try? WriterID(writer), let sequence = UInt64(number) else { return nil }
        self.init(note: id, writer: writer, sequence: sequence)
    }

    package var line: String { "\(note)|\(writer)|\(sequence)" }
}
