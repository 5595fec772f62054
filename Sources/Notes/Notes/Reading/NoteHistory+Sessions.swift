extension NoteHistory {
    /// One change in a log.
    struct Change {
        var time: Int64
        /// The id under which it was written.
        var writer: String
        /// The name of its author, or the id again.
        var author: String
    }

    /// Milliseconds without a change that end a session.
    static let idle: Int64 = 5 * 60_000
    /// Changes that fill a session.
    static let sessionLimit = 100

    /// Groups changes, which may come in any order.
    init(of changes: [Change]) {
        self.init(sessions: [])
        var authors: Set<String> = []
        for change in changes.sorted(by: { ($0.time, $0.writer) < ($1.time, $1.writer) }) {
            let isNear = sessions.last.map { last in
                // Clocks may say anything.
                let (pause, overflows) = change.time.subtractingReportingOverflow(last.end)
                return !overflows && pause <= Self.idle && last.updates < Self.sessionLimit
            }
            if isNear == true {
                sessions[sessions.count - 1].end = change.time
                sessions[sessions.count - 1].updates += 1
                authors.insert(change.author)
            } else {
                authors = [change.author]
                sessions.append(
                    Session(
                        id: "\(change.time)-\(change.writer)", start: change.time, end: change.time, updates: 1,
                        authors: []))
            }
            sessions[sessions.count - 1].authors = authors.sorted()
        }
    }
}
