/// When a note was written, and by whom.
package struct NoteHistory: Hashable, Sendable {
    /// Changes that came close together: a new session begins after five minutes without any, or after 100.
    package struct Session: Hashable, Sendable, Identifiable {
        /// `<time of the first change>-<writer of it>`.
        package var id: String
        /// Milliseconds since 1970.
        package var start: Int64
        /// Milliseconds since 1970. ``NoteLibrary/markdown(of:at:)`` with this time shows the note as it was then.
        package var end: Int64
        package var updates: Int
        /// The names of those who wrote, or their writer ids where no name is known.
        package var authors: [String]

        package init(id: String, start: Int64, end: Int64, updates: Int, authors: [String]) {
            self.id = id
            self.start = start
            self.end = end
            self.updates = updates
            self.authors = authors
        }
    }

    /// The oldest first.
    package var sessions: [Session]
    package var updates: Int { sessions.reduce(0) { $0 + $1.updates } }
    package var first: Int64? { sessions.first?.start }
    package var last: Int64? { sessions.map(\.end).max() }
    package var authors: [String] { Set(sessions.flatMap(\.authors)).sorted() }

    package init(sessions: [Session]) { self.sessions = sessions }
}
