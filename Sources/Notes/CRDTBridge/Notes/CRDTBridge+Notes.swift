public import RichText
internal import ScriptEngine

extension CRDTBridge {
    /// Opens a new note: its metadata and one empty paragraph.
    ///
    /// - Parameters:
    ///   - id: the new note's id.
    ///   - directory: the id of the storage directory.
    ///   - folder: the id of its folder; nil for none.
    ///   - created: milliseconds since 1970.
    /// - Returns: the update that makes it, which is its whole state.
    public func createNote(
        _ id: String, in directory: String, folder: String? = nil, created: Int64
    ) throws(CRDTError) -> [UInt8] {
        try checkUsable(id)
        var fields = JSONText()
        fields.object([
            "id": .string(id), "sdId": .string(directory), "folderId": folder.map(RichText.Value.string) ?? .null,
            "created": .number(Double(created)), "modified": .number(Double(created)), "deleted": false,
            "pinned": false,
        ])
        let (handle, update) = try guarded(id) { () throws(ScriptError) in
            let answer = try scripts.call(.createNote, [fields.text])
            return (try answer.element(0).integer, try answer.element(1).bytes)
        }
        opened(id, handle: handle, weight: update.count)
        return update
    }

    /// The content of a note, with whatever is in it.
    public func tree(of id: String) throws(CRDTError) -> RichText {
        try document(try call(.treeOfNote, on: id), of: id)
    }

    /// The metadata of a note. Throws `notLoaded` if the note is not open.
    public func metadata(of id: String) throws(CRDTError) -> NoteMetadata {
        var json = try json(try call(.metadata, on: id), of: id)
        return try read(id) { () throws(JSONCursor.Malformed) in NoteMetadata(try json.object()) }
    }

    /// Sets fields of the metadata in one transaction.
    ///
    /// - Returns: the update; nil if all fields had these values.
    public func setMetadata(of id: String, _ changes: [NoteMetadataChange]) throws(CRDTError) -> [UInt8]? {
        var fields = JSONText()
        fields.object(Dictionary(changes.map { $0.field }, uniquingKeysWith: { $1 }))
        return try update(try call(.setMetadata, on: id, fields.text), of: id)
    }

    /// Makes edits in place, in one transaction, with as few operations as say them. All else in the note stays as it
    /// is, also what no schema knows. Null as the value of an attribute takes it away.
    ///
    /// - Returns: the update; nil if nothing changed. ``CRDTErrorCode/misfit`` if an edit does not fit the note as it
    ///   is now, or would split a surrogate pair.
    public func edit(_ id: String, _ edits: [RichText.Edit]) throws(CRDTError) -> [UInt8]? {
        var json = JSONText()
        json.edits(edits)
        return try update(try call(.edit, on: id, json.text), of: id)
    }

    /// Makes edits that were meant for an older state of the note, which then merges them with all that came since.
    ///
    /// - Parameters:
    ///   - id: the note.
    ///   - state: from ``state(of:)``, when the edits' author saw the note.
    ///   - client: the client id under which it is done, a fresh one by default. The same edits of the same state under the
    ///     same id are the same operations: to make them again changes nothing.
    ///   - edits: what to change.
    public func edit(
        _ id: String, from state: [UInt8], as client: UInt32 = 0, _ edits: [RichText.Edit]
    ) throws(CRDTError) -> [UInt8]? {
        try check(state)
        var json = JSONText()
        json.edits(edits)
        return try update(try call(.editOlder, on: id, state, json.text, Int(client)), of: id)
    }

    // What the other parts use.

    func document(_ answer: ScriptValue, of id: String) throws(CRDTError) -> RichText {
        var json = try json(answer, of: id)
        return try read(id) { () throws(JSONCursor.Malformed) in try json.document() }
    }

    func read<Value>(
        _ id: String, _ body: () throws(JSONCursor.Malformed) -> Value
    ) throws(CRDTError) -> Value {
        do throws(JSONCursor.Malformed) {
            return try body()
        } catch {
            throw CRDTError(.failed, "\(id): the script gave something else than it was asked for")
        }
    }
}
