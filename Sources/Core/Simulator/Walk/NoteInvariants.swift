import AppCore

/// What a person wrote in notes is in a draft, or in the note, until they give it up; followed from step to step.
struct NoteInvariants: Sendable {
    /// The newest text of each draft.
    private var drafts: [NoteID: String] = [:]
    /// The text of the saves that are under way.
    private var writes: [EffectID: (note: NoteID, text: String)] = [:]

    init(_ core: any SimulatedCore) {
        if let core = core as? BuiltInCore { learn(core.driver.state) }
    }

    /// Looks at what the last step led to.
    mutating func follow(_ entries: [Log.Entry], _ core: any SimulatedCore) throws {
        for entry in entries {
            release(entry.input.action)
            for effect in entry.effects {
                guard case .writeNote(let note, _, let text) = effect.kind else { continue }
                writes[effect.id] = (note, text)
            }
        }
        guard let core = core as? BuiltInCore else { return }
        let state = core.driver.state
        if state.lock.isLocked {
            guard state.notes == Notebook() else { throw Fault("a locked core knows of notes", isOfCore: false) }
            return
        }
        for note in drafts.keys.sorted() where state.notes.draft(of: note) == nil {
            throw Fault("what was written in \(note) is gone", isOfCore: false)
        }
        learn(state)
        try checkSharing(of: state)
    }

    private mutating func learn(_ state: AppState) {
        for draft in state.notes.drafts {
            drafts[draft.note] = draft.text
            if let saving = draft.saving { writes[saving.effect] = (draft.note, saving.text) }
        }
    }

    /// Ends a draft: it is saved unchanged, or the person discards it.
    private mutating func release(_ action: Action) {
        switch action {
        case .event(.noteWritten(let effect, _)):
            if let write = writes.removeValue(forKey: effect), drafts[write.note] == write.text {
                drafts[write.note] = nil
            }
        case .notes(.discardDraft(let note)), .notes(.keepDraft(let note)), .notes(.purgeNote(let note)):
            drafts[note] = nil
        // Back to what the note says.
        case .notes(.editNote): drafts = [:]
        case .app(.eraseAll): (drafts, writes) = ([:], [:])
        default: break
        }
    }

    /// Notes are live only over links that stand.
    private func checkSharing(of state: AppState) throws {
        for room in state.rooms where !room.live.shares.all.isEmpty {
            guard room.status == .accepted, room.live.linkEffect != nil else {
                throw Fault("a note is shared in a room without a link", isOfCore: false)
            }
            for share in room.live.shares.all where !room.sharedNotes.own.contains(share.note) {
                throw Fault("\(share.note) is live and not shared", isOfCore: false)
            }
        }
    }
}
