internal import CRDTBridge
internal import NoteFiles
internal import RichText

/// The authors behind the clients of a document.
struct Authors {
    /// The names by the clients. Of several writers whose logs have a client's changes, the writer who had them first made them.
    private var names: [UInt64: (name: String, time: Int64)] = [:]

    subscript(client: UInt64) -> String? { names[client]?.name }

    mutating func note(_ clients: Set<UInt64>, name: String, at time: Int64) {
        for client in clients where time < names[client]?.time ?? .max { names[client] = (name, time) }
    }
}

extension NoteLibrary {
    /// The text of a note in pieces with their authors.
    func writtenText(of note: NoteID, _ content: RichText) throws(NoteFailure) -> [WrittenText] {
        let authors = try authors(of: note)
        return try crdt { try $0.authors(of: note.text) }.compactMap { stretch in
            guard case .text(let runs) = content[stretch.path] else { return nil }
            // Embedded things count one, and have no text.
            let units = runs.flatMap { run -> [UInt16] in
                if case .text(let text) = run.content { Array(text.utf16) } else { [0xfffc] }
            }
            return WrittenText(
                text: String(decoding: units[stretch.range.clamped(to: units.indices)], as: UTF16.self),
                author: strangers[stretch.client] ?? authors[stretch.client])
        }
    }

    /// Reads all logs once; they tell who wrote.
    private func authors(of note: NoteID) throws(NoteFailure) -> Authors {
        if let known = documents[.note(note)]?.authors { return known }
        var authors = Authors()
        let records = try records(of: note)
        meet(records)
        authors.note(records, name: author)
        documents[.note(note)]?.authors = authors
        return authors
    }
}

extension Authors {
    mutating func note(_ records: [LogRecord], name: (LogRecord) -> String?) {
        for record in records {
            guard let name = name(record), let clients = try? CRDTBridge.clients(in: record.payload) else { continue }
            note(clients, name: name, at: record.timestamp)
        }
    }
}
