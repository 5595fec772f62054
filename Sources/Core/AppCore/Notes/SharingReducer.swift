// Notes that the two people of a room edit together: live while the link stands and both share them.

extension AppState {
    mutating func shareNote(_ id: RoomID, _ note: NoteID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].canWrite, let known = notes.list[note], !known.deleted
        else { return }
        if rooms[index].sharedNotes.own.contains(note) {
            // What has failed is tried again.
            if rooms[index].live.shares[note]?.effect == nil { startSharing(index, note, &context) }
            return
        }
        guard rooms[index].sharedNotes.own.count < NotebookLimits.sharedNotes else {
            return notify(.problem, Wording.tooManySharedNotes, room: id, context)
        }
        addShared(index, SharedNoteLine(note: note, title: known.title, by: .own, outcome: .offered), &context)
    }

    /// The other person shares a note. One that was new here is live at once; another one only when this person agrees.
    mutating func noteOffered(
        _ id: RoomID, _ note: NoteID, title: String, adopted: Bool, _ context: inout DispatchContext
    ) {
        guard let index = rooms.index(of: id), rooms[index].isTalking, rooms[index].status == .accepted else { return }
        let shared = rooms[index].sharedNotes
        guard !shared.own.contains(note), !shared.offered.contains(note) || adopted,
            shared.own.count + shared.offered.count < NotebookLimits.sharedNotes
        else { return }
        let line = SharedNoteLine(
            note: note, title: title.noteTitle, by: .peer, outcome: adopted ? .adopted : .offered)
        if adopted { return addShared(index, line, &context) }
        rooms[index].sharedNotes.offered.append(note)
        context.changed(.room(id))
        appendNote(index, .noteShared(line), &context)
    }

    private mutating func addShared(_ index: Int, _ line: SharedNoteLine, _ context: inout DispatchContext) {
        _ = rooms[index].sharedNotes.remove(line.note)
        rooms[index].sharedNotes.own.append(line.note)
        context.changed(.room(rooms[index].id))
        appendNote(index, .noteShared(line), &context)
        startSharing(index, line.note, &context)
    }

    mutating func stopSharingNote(_ id: RoomID, _ note: NoteID, _ context: inout DispatchContext) {
        guard let index = rooms.index(of: id), rooms[index].sharedNotes.remove(note) else { return }
        context.changed(.room(id))
        guard let effect = rooms[index].live.shares.remove(note)?.effect else { return }
        settle(effect, &context)
        issue(.stopSharingNote(room: id, note: note), &context)
    }

    /// The note is gone for good.
    mutating func endSharing(of note: NoteID, _ context: inout DispatchContext) {
        for index in rooms.indices { stopSharingNote(rooms[index].id, note, &context) }
    }

    // MARK: - Over the link

    /// The link stands: everything that is shared goes live.
    mutating func startSharing(_ index: Int, _ context: inout DispatchContext) {
        for note in rooms[index].sharedNotes.own where rooms[index].live.shares[note] == nil {
            startSharing(index, note, &context)
        }
    }

    private mutating func startSharing(_ index: Int, _ note: NoteID, _ context: inout DispatchContext) {
        guard rooms[index].isTalking, rooms[index].status == .accepted else { return }
        let effect = issue(.shareNote(room: rooms[index].id, note: note), &context)
        rooms[index].live.shares.put(NoteShare(note: note, effect: effect))
    }

    /// The link is over, and so is what went over it.
    mutating func forgetShares(_ index: Int) {
        for share in rooms[index].live.shares.all { if let effect = share.effect { pendingEffects.remove(effect) } }
        rooms[index].live.shares = NoteShares()
    }

    mutating func noteSharingChanged(
        _ id: RoomID, _ note: NoteID, _ state: NoteShare.State, _ context: inout DispatchContext
    ) {
        guard let index = rooms.index(of: id) else { return }
        if var share = rooms[index].live.shares[note] {
            share.state = state
            rooms[index].live.shares.put(share)
        } else if state == .stopped, rooms[index].sharedNotes.offered.contains(note) {
            rooms[index].sharedNotes.offered.removeAll { $0 == note }
            context.changed(.room(id))
        }
    }

    mutating func sharingEnded(
        _ effect: EffectID, _ id: RoomID, _ note: NoteID, _ failure: Failure?, _ context: inout DispatchContext
    ) {
        settle(effect, &context)
        guard let index = rooms.index(of: id), var share = rooms[index].live.shares[note], share.effect == effect else {
            return
        }
        if failure?.code == .noteUnknown { return stopSharingNote(id, note, &context) }
        share.effect = nil
        share.state = .stopped
        share.failure = failure
        rooms[index].live.shares.put(share)
        if let failure { notify(.problem, Words(failure), room: id, context) }
    }
}
