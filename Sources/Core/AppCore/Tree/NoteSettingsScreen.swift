extension Presentation {
    func noteSettingsScreen(_ id: NoteID) -> SemanticNode {
        guard let note = notes.list[id] else {
            let gone = SemanticNode(.text, "note_settings.gone", Words(Failure(.noteUnknown)))
            return page("note_settings", "note", [gone])
        }
        let isHere = !note.deleted
        let places =
            [
                SemanticNode.place(
                    "note_settings.top", "folder.top", isSelected: note.folder == nil, isEnabled: isHere,
                    .moveNote(note: id, folder: nil))
            ]
            + notes.folders.inOrder.map { entry in
                .place(
                    "note_settings.folder.\(entry.folder.id)", .said(entry.path),
                    isSelected: note.folder == entry.folder.id,
                    isEnabled: isHere, .moveNote(note: id, folder: entry.folder.id))
            }
        let children = [
            SemanticNode.field(
                "note_settings.name", text: note.title, .notes(.renameNote(note: id, title: "")),
                input: "title", isEnabled: isHere),
            .toggle(
                "note_settings.pinned", isOn: note.pinned, .notes(.pinNote(note: id, on: !note.pinned)),
                isEnabled: isHere),
            .button("note_settings.summarise", .app(.navigate(to: Screen(.summary, note: id)))),
            SemanticNode(.text, "note_settings.created", value: .time(note.created)),
            SemanticNode(.text, "note_settings.modified", value: .time(note.modified)),
        ]
        var sections = [SemanticNode(.section, "note_settings.folder", places)]
        let shares = shareToggles(note)
        if !shares.isEmpty {
            sections.append(SemanticNode(.section, "note_settings.share", shares))
        }
        return page("note_settings", note.title.noteWords, children + sections + endButtons(note))
    }

    private func shareToggles(_ note: ListedNote) -> [SemanticNode] {
        let talks = rooms.filter { $0.status == .accepted }.sorted { ($0.title, $0.id) < ($1.title, $1.id) }
        return talks.map { room in
            let isOn = room.sharedNotes.own.contains(note.id)
            var toggle = SemanticNode.toggle(
                "note_settings.share.\(room.id)", .key("note_settings.share.with", ["room": .words(room.titleWords)]),
                isOn: isOn,
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
            return [.button("note_settings.delete", .notes(.deleteNote(note: note.id)))]
        }
        return [
            .button("note_settings.restore", .notes(.restoreNote(note: note.id))),
            .button(
                "note_settings.purge", .app(.navigate(to: Screen(.purgeNote, note: note.id)))),
        ]
    }

    /// Says what follows before it happens.
    func purgeNoteScreen(_ id: NoteID) -> SemanticNode {
        let note = notes.list[id]
        return page(
            "purge_note", .key("purge_note", ["title": .words(note.map(\.title.noteWords) ?? .said(""))]),
            [
                SemanticNode(.text, "purge_note.about"),
                .button(
                    "purge_note.confirm", .notes(.purgeNote(note: id)),
                    isEnabled: note?.deleted == true),
            ])
    }
}

extension SemanticNode {
    /// One of the places where something can be.
    static func place(_ id: String, _ label: Words, isSelected: Bool, isEnabled: Bool = true, _ action: NoteAction)
        -> SemanticNode
    {
        SemanticNode(
            .choice, id, label, isEnabled: isEnabled && !isSelected, isSelected: isSelected,
            offers: [.tap(.notes(action))])
    }
}
