import AppCore

// What happens in the notes folder elsewhere, and to it.

extension Simulator {
    static let notes: [String: Method] = [
        "notes": { simulator, parameters in try simulator.notes(parameters) }
    ]

    /// `notes{do, note?, …}`: another device, or the system that carries the folder, does something.
    private func notes(_ parameters: Parameters) throws -> JSONValue {
        let act = try Self.act(try parameters.needText("do"), parameters, note: { try self.note(parameters) })
        return try acting { try change { try $0.change(act) } }
    }

    /// The note that is meant, or the newest one.
    func note(_ parameters: Parameters) throws -> NoteID {
        let notes = simulation.world.notes
        if let id = try parameters.text("note") {
            guard notes[NoteID(id)] != nil else { throw SimulatorError(.badRequest, "notes: there is no note \(id).") }
            return NoteID(id)
        }
        guard let newest = notes.order.last else {
            throw SimulatorError(.badRequest, "notes: there is no note yet; do \"create\" first.")
        }
        return newest
    }

    private static func act(_ deed: String, _ parameters: Parameters, note: () throws -> NoteID) throws
        -> (inout World) throws -> Void
    {
        switch deed {
        case "create":
            let text = try parameters.needText("text")
            let id = try parameters.text("note")
            return { $0.create(NoteID(id ?? "note-\($0.notes.number())"), text, in: nil, by: $0.settings.notes.author) }
        case "edit", "append":
            let (note, text) = (try note(), try parameters.needText("text"))
            if deed == "append" { return { $0.append(text, to: note, by: $0.settings.notes.author) } }
            return { $0.merge(text, into: note, by: $0.settings.notes.author) }
        case "delete", "restore", "purge":
            let note = try note()
            return { $0.perform(deed == "delete" ? .delete : deed == "restore" ? .restore : .purge, on: note) }
        case "damage", "mend":
            let note = try note()
            return { $0.setProblem(deed == "damage" ? .noteUnreadable : nil, of: note) }
        case "catch_up":
            let remaining = try parameters.needWhole("remaining", in: 0...1_000_000)
            return { $0.setRemaining(Int(remaining)) }
        case "folder":
            guard let state = NotesSettings.Folder(rawValue: try parameters.needText("state")) else {
                let choices = NotesSettings.Folder.allCases.map(\.rawValue).joined(separator: ", ")
                throw SimulatorError(.badRequest, "notes: \"state\" must be one of \(choices).")
            }
            return { $0.setFolder(state) }
        default:
            throw SimulatorError(
                .badRequest,
                "notes: \"do\" must be create, edit, append, delete, restore, purge, damage, mend, catch_up or folder.")
        }
    }
}
