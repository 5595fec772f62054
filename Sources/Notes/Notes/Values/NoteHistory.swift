/// When a note was written, and by whom.
public struct NoteHistory: Hashable, Sendable {
    /// Changes that came close together: a new session begins after five minutes without any, or after 100.
    public struct Session: Hashable, Sendable, Identifiable {
        /// `<time of the first change>-<writer of it>`.
        public var id: String
        /// Milliseconds since 1970.
        public var start: Int64
        /// Milliseconds since 1970. ``NoteLibrary/markdown(of:at:)`` with this time shows the note as it was then.
        public var end: Int64
        public var updates: Int
        /// The names of those who wrote, or their writer ids where no name is known.
        public var authors: [String]

        public init(id: String, start: Int64, end: Int64, updates: Int, authors: [String]) {
            self.id = id
            self.start = start
            self.end = end
            self.updates = updates
            self.authors = authors
        }
    }

    /// The oldest first.
    public var sessions: [Session]
    public var updates: Int { sessions.reduce(0) { $0 + $1.updates } }
    public var first: Int64? { sessions.first?.start }
    public var last: Int64? { sessions.map(\.end).max() }
    public var authors: [String] { Set(sessions.flatMap(\.authors)).sorted() }

    public init(sessions: [Session]) { self.sessions = sessions }
}
