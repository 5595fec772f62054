internal import CRDTBridge
internal import NoteFiles
package import RichText

extension NoteLibrary {
    /// When a note was written, and by whom. It reaches back as far as the logs do.
    package func history(of note: String) async throws(NoteFailure) -> NoteHistory {
        let note = try open(note)
        let records = try records(of: note)
        meet(records)
        return NoteHistory(
            of: records.map { record in
                let author = author(of: record) ?? ""
                return NoteHistory.Change(
                    time: record.timestamp, writer: record.writer?.instance ?? author, author: author)
            })
    }

    /// The note as it was: with all changes whose time is not after `time`.
    /// - Parameter time: milliseconds since 1970, by the clocks of those who wrote.
    package func content(of note: String, at time: Int64) async throws(NoteFailure) -> RichText {
        let note = try open(note)
        let records = try records(of: note).filter { $0.timestamp <= time }
        return try crdt { try $0.tree(of: records.map(\.payload)) }
    }

    /// The note as it was, as Markdown.
    package func markdown(of note: String, at time: Int64) async throws(NoteFailure) -> String {
        try await content(of: note, at: time).markdown()
    }

    /// Has the note say again what it said then. What it says now stays in its history.
    /// - Parameter time: milliseconds since 1970, by the clocks of those who wrote.
    @discardableResult
    package func restore(_ note: String, asAt time: Int64) async throws(NoteFailure) -> NoteSummary {
        let id = try openForChange(note)
        let earlier = try await content(of: note, at: time)
        return try commitContent(to: id) { bridge in
            let edits = RichText.difference(from: try bridge.tree(of: note), to: earlier)
            return [try NoteFailure.writing { try bridge.edit(note, edits) }]
        }
    }

    /// The whole note as it was, as an update.
    func state(of note: NoteID, at time: Int64) throws(NoteFailure) -> [UInt8] {
        let sound = try records(of: note).filter { record in
            record.timestamp <= time && (try? CRDTBridge.clients(in: record.payload)) != nil
        }
        return try crdt { try $0.merge(sound.map(\.payload)) }
    }

    /// Every record of a note, in no order. Snapshots tell of no time.
    func records(of note: NoteID) throws(NoteFailure) -> [LogRecord] {
        try NoteFailure.wrapping { try directory.read(.note(note)) }.records
    }
}
