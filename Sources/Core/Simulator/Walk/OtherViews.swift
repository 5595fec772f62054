import AppCore

/// What a person has in the views in which they do not act just now. No action of one view changes the screens, forms, filters or
/// drafts of another.
struct OtherViews {
    private let before: AppState
    private let input: Input

    /// - Parameter state: the state before the input.
    init(_ state: AppState, before input: Input) {
        before = state
        self.input = input
    }

    /// Takes the step alone, without what the world answers to it, and compares.
    func check() throws {
        let acting = input.view ?? .main
        var core = Core(state: before)
        _ = core.dispatch(input)
        let after = core.state
        guard !after.lock.isLocked, !before.lock.isLocked, !input.action.erases else { return }
        for var view in before.views where view.id != acting {
            // What is recorded ends for everybody where nothing can be said any more.
            if let recording = view.recording, after.rooms[recording.room]?.canWrite != true { view.recording = nil }
            guard let now = after.views[view.id] else { throw Fault("another view closed the view \(view.id)") }
            guard view.canBecome(now, by: input.action) else {
                throw Fault("\(input.action) in the view \(acting) changed the view \(view.id)")
            }
        }
        for composer in before.composers.all where composer.view != acting && !input.action.takesDraft {
            guard let view = composer.view, after.rooms[composer.room] != nil else { continue }
            guard after.composers.text(in: composer.room, of: view) == composer.text else {
                throw Fault("\(input.action) in the view \(acting) changed what is written in the view \(view)")
            }
        }
    }
}

extension ViewState {
    /// Equal, but for screens of what the action has removed for everybody.
    fileprivate func canBecome(_ other: ViewState, by action: Action) -> Bool {
        if self == other { return true }
        // What was read of a room to be summarised is read anew when something in it is changed.
        if case .chat = action, summary?.prompt != nil {
            var same = self
            same.summary = other.summary
            if same == other { return true }
        }
        guard action.removesSomething, other.screens.count <= screens.count else { return false }
        var same = self
        same.screens = other.screens
        same.notes.filter = other.notes.filter
        // What is to be summarised, and the sessions of an agent, go with the screen that shows them.
        if other.screens != screens {
            (same.summary, same.threads, same.devices) = (other.summary, other.threads, other.devices)
        }
        // What is around a note goes with the note's screen.
        if other.note != note { same.notes.inspector = other.notes.inspector }
        return same == other && other.screens.allSatisfy { $0.page == .rooms || screens.contains($0) }
    }
}

extension Action {
    fileprivate var erases: Bool { self == .app(.eraseAll) }

    fileprivate var takesDraft: Bool { if case .chat(.takeDraft) = self { true } else { false } }

    /// Whether what it does away with may be on any screen.
    fileprivate var removesSomething: Bool {
        switch self {
        case .rooms(.deleteRoom), .rooms(.clearClosed), .circle(.revokeTrust), .notes(.purgeNote),
            .notes(.deleteFolder),
            .apps(.removeApp), .apps(.declineInstall), .chat(.compareSafetyNumber), .agents(.removeAgent),
            .agents(.removeAgentSession), .agents(.addModel):
            true
        default: false
        }
    }
}
