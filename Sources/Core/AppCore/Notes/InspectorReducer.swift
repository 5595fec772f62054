// What is around a note: links, comments, history. The host tells it only while some view shows it.

extension AppState {
    mutating func inspectNotes(_ on: Bool, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard view.notes.inspector.isOpen != on else { return }
        for effect in view.notes.inspector.effects { settle(effect, &context) }
        views.update(view.id) {
            $0.notes.inspector = NoteInspector()
            $0.notes.inspector.isOpen = on
        }
    }

    /// The screens decide what is asked for: see ``ViewState/inspected``.
    mutating func followDetails(_ context: inout DispatchContext) {
        for view in views where view.notes.inspector.isOpen && view.notes.inspector.note != view.note {
            // History, forms and looks at the past belong to one note.
            for effect in view.notes.inspector.effects { settle(effect, &context) }
            views.update(view.id) { $0.notes.inspector = $0.notes.inspector.emptied(for: $0.note) }
        }
        let wanted = views.compactMap(\.inspected)
        for followed in notes.followed.all where !wanted.contains(followed.note) {
            notes.followed.all.removeAll { $0.note == followed.note }
            guard let effect = followed.effect else { continue }
            settle(effect, &context)
            issue(.unfollowNote(note: followed.note), &context)
        }
        for note in wanted where notes.followed[note] == nil {
            notes.followed.all.append(FollowedNote(note: note, effect: issue(.followNote(note: note), &context)))
        }
    }

    mutating func noteDetails(_ effect: EffectID, _ details: NoteDetails) {
        notes.followed.update(where: { $0.effect == effect }) {
            $0.details = details.fitted
            $0.failure = nil
        }
    }

    mutating func followingEnded(_ effect: EffectID, _ failure: Failure?, _ context: inout DispatchContext) {
        settle(effect, &context)
        notes.followed.update(where: { $0.effect == effect }) {
            $0.effect = nil
            $0.failure = failure ?? Failure(.other, retryable: true)
        }
    }

    // MARK: - History

    mutating func listVersions(_ context: inout DispatchContext) {
        let view = actingView(context)
        guard let note = view.inspected, view.notes.inspector.listing == nil else { return }
        let effect = issue(.listVersions(note: note), &context)
        views.update(view.id) { $0.notes.inspector.listing = effect }
    }

    mutating func versionsListed(_ effect: EffectID, _ versions: [NoteVersion], _ context: inout DispatchContext) {
        settle(effect, &context)
        guard let view = views.first(where: { $0.notes.inspector.listing == effect }) else { return }
        var ends: Set<Timestamp> = []
        let fitted = versions.suffix(NotebookLimits.versions).map(\.fitted).sorted { $0.end < $1.end }
        views.update(view.id) {
            $0.notes.inspector.listing = nil
            $0.notes.inspector.versions = fitted.filter { ends.insert($0.end).inserted }
        }
    }

    mutating func showVersion(_ time: Timestamp?, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard let note = view.inspected, view.notes.inspector.shown?.at != time else { return }
        if let effect = view.notes.inspector.shown?.effect { settle(effect, &context) }
        guard let time, view.notes.inspector.versions?.contains(where: { $0.end == time }) == true else {
            return views.update(view.id) { $0.notes.inspector.shown = nil }
        }
        let effect = issue(.readVersion(note: note, at: time), &context)
        views.update(view.id) { $0.notes.inspector.shown = ShownVersion(at: time, effect: effect) }
    }

    mutating func versionRead(_ effect: EffectID, _ text: String, _ context: inout DispatchContext) {
        settle(effect, &context)
        updateShown(of: effect) {
            $0.effect = nil
            $0.text = text.limited(to: NotebookLimits.textBytes)
            $0.isCut = text.utf8.count > NotebookLimits.textBytes
        }
    }

    mutating func versionsFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        let waiting = views.first { $0.notes.inspector.effects.contains(effect) }
        guard let waiting else { return }
        views.update(waiting.id) {
            if $0.notes.inspector.listing == effect { $0.notes.inspector.listing = nil }
            if $0.notes.inspector.shown?.effect == effect { $0.notes.inspector.shown = nil }
        }
        notify(.problem, Words(failure), context)
    }

    mutating func askToRestoreVersion(_ on: Bool, _ context: DispatchContext) {
        views.update(context.view ?? .main) {
            if $0.notes.inspector.shown?.text != nil { $0.notes.inspector.shown?.isAsking = on }
        }
    }

    mutating func restoreVersion(_ note: NoteID, _ time: Timestamp, _ context: inout DispatchContext) {
        // What is not saved would come back on top of it.
        guard notes.draft(of: note) == nil else { return notify(.problem, "note.version.draft", context) }
        change(note, .restoreVersion(at: time), &context)
        views.update(context.view ?? .main) { $0.notes.inspector.shown = nil }
    }

    /// The note says it again, and its history has one entry more.
    mutating func versionRestored(_ effect: EffectID, _ note: NoteID, _ context: inout DispatchContext) {
        settle(effect, &context)
        if actingView(context).inspected == note { listVersions(&context) }
    }

    private mutating func updateShown(of effect: EffectID, _ change: (inout ShownVersion) -> Void) {
        guard let view = views.first(where: { $0.notes.inspector.shown?.effect == effect }) else { return }
        views.update(view.id) {
            guard var shown = $0.notes.inspector.shown else { return }
            change(&shown)
            $0.notes.inspector.shown = shown
        }
    }
}

extension ViewState {
    /// The note whose surroundings the view shows.
    package var inspected: NoteID? { notes.inspector.isOpen && screen.page == .note ? screen.note : nil }
}
