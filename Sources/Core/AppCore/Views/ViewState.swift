/// One window of one person onto the profile: a page, a terminal, a chat.
///
/// Views share all data. Each has its own screens, forms and filters, so that what a person does in one never moves another.
/// A view lasts as long as its window: nothing of it is saved.
package struct ViewState: Sendable, Hashable, Codable, Identifiable {
    package let id: ViewID
    /// Whether it is in front. Its content is covered while it is not.
    package internal(set) var isFront = false
    /// Whether another window is in front of it; `nil` is no.
    package internal(set) var isAway: Bool?
    /// Whether its window is gone, though it may come back; `nil` is no.
    package internal(set) var isLeft: Bool?
    /// Whether it is a window of the page.
    var isWindow: Bool { tellsSeen == true && isLeft != true }
    /// Whether a person may be looking at it.
    var isLookedAt: Bool { isFront && isAway != true }
    /// Whether the view says itself what its person has seen; otherwise an open conversation counts.
    package internal(set) var tellsSeen: Bool?
    /// What the renderer of this view can do that not every one can; `nil` is nothing.
    package internal(set) var can: [ViewAbility]?
    /// The path of screens from the list of rooms to what is shown.
    package var screens = [Screen(.rooms)]
    package internal(set) var createForm = CreateForm()
    package internal(set) var joinForm = JoinForm()
    package internal(set) var search: MessageSearch?
    /// The message around which the conversation is shown, until the person goes on.
    package internal(set) var shownMessage: MessageID?
    /// Where what was new begins in the conversation that the view is in.
    package internal(set) var unseen: Unseen?
    /// Whether the command palette is open; `nil` is no, so that a state is written as it was before there was one.
    package internal(set) var hasPalette: Bool?
    /// The voice message that is recorded here.
    package var recording: VoiceRecording?
    package var notes = NotesView()
    package internal(set) var apps = AppsView()
    /// What is about to be sent to be summarised, while the view shows that.
    package var summary: SummaryRequest?
    /// The sessions that an agent has already, while the view shows them.
    package var threads: AgentThreadList?
    /// The devices that use agents of this machine, while the view shows them.
    package var devices: ServedDeviceList?
    package internal(set) var agents: AgentForm {
        get { agentForm ?? AgentForm() }
        set { agentForm = newValue == AgentForm() ? nil : newValue }
    }
    /// `nil` while there is nothing in it, so that a state is written as it was before there were agents.
    private var agentForm: AgentForm?
    package var archive: ArchiveView {
        get { archiving ?? ArchiveView() }
        set { archiving = newValue == ArchiveView() ? nil : newValue }
    }
    /// `nil` while there is nothing to say of archives, so that a state is written as it was before there were any.
    private var archiving: ArchiveView?

    init(id: ViewID, isFront: Bool = false) {
        self.id = id
        self.isFront = isFront
    }

    /// What is shown.
    package var screen: Screen { screens.last ?? Screen(.rooms) }

    /// The note whose text the view shows or is about to change.
    package var note: NoteID? { screen.note }

    /// The note that the view has as Markdown.
    var markdownNote: NoteID? { can?.contains(.documents) == true ? nil : note }

    /// The note that the view shows as a document, which the host lends it: the core never sees the text.
    package var document: NoteID? { screen.page == .note && markdownNote == nil ? note : nil }

    mutating func able(to abilities: [ViewAbility]) {
        can = abilities.isEmpty ? nil : ViewAbility.allCases.filter(abilities.contains)
    }

    /// The same window with nothing in it.
    var emptied: ViewState {
        var view = ViewState(id: id, isFront: isFront)
        view.tellsSeen = tellsSeen
        view.isAway = isAway
        view.isLeft = isLeft
        view.can = can
        return view
    }

    /// Whether the way back from here leads through the room's conversation.
    func isIn(_ room: RoomID) -> Bool { screens.contains { $0.page == .chat && $0.room == room } }

    /// Takes screens off the path. The list of rooms is left when nothing else is.
    mutating func hide(where isGone: (Screen) -> Bool) {
        screens.removeAll(where: isGone)
        if screens.isEmpty { screens = [Screen(.rooms)] }
    }
}

/// What the person had not seen of a conversation when they came into it.
package struct Unseen: Sendable, Hashable, Codable {
    package let room: RoomID
    /// The order of the last message that had been seen.
    package let after: UInt64
    package let count: Int
}

/// What a renderer can do beyond what every renderer has to.
package enum ViewAbility: String, Sendable, Hashable, Codable, CaseIterable {
    /// Notes as documents that several people write in at once, instead of as Markdown.
    case documents
    /// Files that the host makes are saved by the view, wherever its person says, instead of in a folder of the host.
    case downloads
    /// Voice messages are recorded where its person is.
    case microphone
}

/// Names a view. The host makes the names; ``main`` is always there.
package typealias ViewID = Identifier<ViewState>

extension Identifier where Kind == ViewState {
    /// The view of hosts that have one. Inputs and effects that name no view belong to it.
    package static let main = ViewID("main")
}

/// The form that makes a room.
package struct CreateForm: Sendable, Hashable, Codable {
    package var name = ""
    package var expiresIn = RoomLimits.defaultExpiry
}

/// The form that joins one.
package struct JoinForm: Sendable, Hashable, Codable {
    package var code = ""
    package var words: SecretRef?
    package var name = ""
}

/// What a view shows of the notes.
package struct NotesView: Sendable, Hashable, Codable {
    /// Whether the view follows the notes folder, from when it first shows something of it.
    package internal(set) var isFollowing = false
    package var filter = NotebookFilter(.all)
    package internal(set) var search = NoteSearch()
    /// How many notes of the list are shown at most.
    package internal(set) var shown = NotebookLimits.page
    /// The name that the next folder gets.
    package internal(set) var folderForm = ""
    package var inspector: NoteInspector {
        get { inspecting ?? NoteInspector() }
        set { inspecting = newValue == NoteInspector() ? nil : newValue }
    }
    /// `nil` while nobody looks, so that a state is written as it was before anybody could.
    private var inspecting: NoteInspector?
    /// The note that is being made for this view, as long as nobody has gone elsewhere meanwhile.
    package internal(set) var making: NoteID?

    var isSearching: Bool { !search.query.trimmed.isEmpty }

    /// What waits for an answer.
    var effects: [EffectID] { [search.effect].compactMap(\.self) + inspector.effects }
}

/// What stands in a view's fields about apps.
package struct AppsView: Sendable, Hashable, Codable {
    /// Whether the view follows what is installed and runs, from when it first shows something of it.
    package internal(set) var isFollowing = false
    package internal(set) var sourceForm = ""
    package internal(set) var parametersForm = ""
    package internal(set) var bundleForm = ""
    /// The ``Effect/Kind/startApp(app:component:command:parameters:)`` of the window that this view waits for.
    package internal(set) var opening: EffectID?
    /// The window that this view asked for last.
    package internal(set) var asked: AskedWindow?
}

/// A window of an app that somebody asked for, and that runs.
package struct AskedWindow: Sendable, Hashable, Codable {
    package let instance: InstanceID
    /// Names this one time: the same window may be asked for again.
    package let effect: EffectID
}
