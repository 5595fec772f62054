/// One window of one person onto the profile: a page, a terminal, a chat.
///
/// Views share all data. Each has its own screens, forms and filters, so that what a person does in one never moves another.
/// A view lasts as long as its window: nothing of it is saved.
package struct ViewState: Sendable, Hashable, Codable, Identifiable {
    package let id: ViewID
    /// Whether it is in front. Its content is covered while it is not.
    package internal(set) var isFront = false
    /// Whether the view says itself what its person has seen; otherwise an open conversation counts.
    package internal(set) var tellsSeen: Bool?
    /// The path of screens from the list of rooms to what is shown.
    package var screens = [Screen(.rooms)]
    package internal(set) var createForm = CreateForm()
    package internal(set) var joinForm = JoinForm()
    package internal(set) var search: MessageSearch?
    /// The message around which the conversation is shown, until the person goes on.
    package internal(set) var shownMessage: MessageID?
    package var notes = NotesView()
    package internal(set) var apps = AppsView()

    init(id: ViewID, isFront: Bool = false) {
        self.id = id
        self.isFront = isFront
    }

    /// What is shown.
    package var screen: Screen { screens.last ?? Screen(.rooms) }

    /// The note whose text the view shows or is about to change.
    package var note: NoteID? { screen.note }

    /// The same window with nothing in it.
    var emptied: ViewState {
        var view = ViewState(id: id, isFront: isFront)
        view.tellsSeen = tellsSeen
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
}

/// What stands in a view's fields about apps.
package struct AppsView: Sendable, Hashable, Codable {
    /// Whether the view follows what is installed and runs, from when it first shows something of it.
    package internal(set) var isFollowing = false
    package internal(set) var sourceForm = ""
    package internal(set) var parametersForm = ""
    package internal(set) var bundleForm = ""
}
