extension Presentation {
    func noteSettingsScreen(_ id: NoteID) -> SemanticNode {
        guard let note = notes.list[id] else {
            let gone = SemanticNode(.text, "note_settings.gone", Wording.sentence(for: Failure(.noteUnknown)))
            return page("note_settings", "Note", [gone])
        }
        let isHere = !note.deleted
        let places =
            [
                SemanticNode.place(
                    "note_settings.top", "No folder", isSelected: note.folder == nil, isEnabled: isHere,
                    .moveNote(note: id, folder: nil))
            ]
            + notes.folders.inOrder.map { entry in
                .place(
                    "note_settings.folder.\(entry.folder.id)", entry.path, isSelected: note.folder == entry.folder.id,
                    isEnabled: isHere, .moveNote(note: id, folder: entry.folder.id))
            }
        let children = [
            SemanticNode.field(
                "note_settings.name", "Title", text: note.title, .notes(.renameNote(note: id, title: "")),
                input: "title", isEnabled: isHere),
            .toggle(
                "note_settings.pinned", "Pinned", isOn: note.pinned, .notes(.pinNote(note: id, on: !note.pinned)),
                isEnabled: isHere),
            SemanticNode(.text, "note_settings.created", "Written first", value: .time(note.created)),
            SemanticNode(.text, "note_settings.modified", "Changed last", value: .time(note.modified)),
        ]
        var sections = [SemanticNode(.section, "note_settings.folder", "Folder", places)]
        let shares = shareToggles(note)
        if !shares.isEmpty {
            sections.append(SemanticNode(.section, "note_settings.share", "Edit it together", shares))
        }
        return page("note_settings", note.title.orUntitled, children + sections + endButtons(note))
    }

    private func shareToggles(_ note: ListedNote) -> [SemanticNode] {
        let talks = rooms.filter { $0.status == .accepted }.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        return talks.map { room in
            let isOn = room.sharedNotes.own.contains(note.id)
            var toggle = SemanticNode.toggle(
                "note_settings.share.\(room.id)", "With \(room.title)", isOn: isOn,
                .notes(
                    isOn
                        ? .stopSharingNote(room: room.id, note: note.id) : .shareNote(room: room.id, note: note.id)),
                isEnabled: isOn || (!note.deleted && room.canShareNotes))
            toggle.detail = room.sharingText(of: note.id)
            return toggle
        }
    }

    private func endButtons(_ note: ListedNote) -> [SemanticNode] {
        guard note.deleted else {
            return [.button("note_settings.delete", "Move to the trash", .notes(.deleteNote(note: note.id)))]
        }
        return [
            .button("note_settings.restore", "Restore the note", .notes(.restoreNote(note: note.id))),
            .button(
                "note_settings.purge", "Delete for good", .app(.navigate(to: Screen(.purgeNote, note: note.id)))),
        ]
    }

    /// Says what follows before it happens.
    func purgeNoteScreen(_ id: NoteID) -> SemanticNode {
        let note = notes.list[id]
        return page(
            "purge_note", "Delete “\(note.map(\.title.orUntitled) ?? "")” for good?",
            [
                SemanticNode(
                    .text, "purge_note.about",
                    "The note and its history go from this folder, on every device that has it. Nobody can bring them back."
                ),
                .button(
                    "purge_note.confirm", "Delete it now", .notes(.purgeNote(note: id)),
                    isEnabled: note?.deleted == true),
            ])
    }
}

extension SemanticNode {
    /// One of the places where something can be.
    static func place(_ id: String, _ label: String, isSelected: Bool, isEnabled: Bool = true, _ action: NoteAction)
        -> SemanticNode
    {
        SemanticNode(
            .choice, id, label, isEnabled: isEnabled && !isSelected, isSelected: isSelected,
            offers: [.tap(.notes(action))])
    }
}
