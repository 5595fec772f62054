// The command palette: what has a name, and is on no list of the screen that is shown.

extension Presentation {
    /// Notes in the palette. What is further down the list is found by the search in notes.
    static let paletteNotes = 500
    /// Sessions with agents in the palette.
    static let paletteSessions = 100

    /// The way to the palette, and below it, while it is open, what can be found in it besides the rooms and what the screen offers.
    /// The renderer looks for what is typed, so that nobody waits for an answer.
    var palette: SemanticNode {
        var button = SemanticNode.button("palette", .app(.setPalette(on: true))).within(.navigation)
        guard view.hasPalette == true else { return button }
        let close = SemanticNode.button("palette.close", .app(.setPalette(on: false)))
        button.children = ChunkedArray([close] + foundApps + foundNotes + foundSessions)
        return button
    }

    private var foundApps: [SemanticNode] {
        apps.list.map { found("app.\($0.id)", .said($0.title), .apps(.showApp(app: $0.id))) }
    }

    private var foundNotes: [SemanticNode] {
        let kept = notes.list.inOrder.lazy.filter { !$0.deleted }
        return Array(kept.prefix(Self.paletteNotes)).map { note in
            found("note.\(note.id)", note.title.noteWords, .notes(.openNote(note: note.id)))
        }
    }

    private var foundSessions: [SemanticNode] {
        talks.inOrder.prefix(Self.paletteSessions).map { talk in
            let session = talk.session
            let screen = Screen(.agent, session: session.id)
            return found("session.\(session.id)", session.titleWords, .app(.navigate(to: screen)))
        }
    }

    private func found(_ id: String, _ name: Words, _ action: Action) -> SemanticNode {
        SemanticNode(.item, "found.\(id)", name, offers: [.tap(action)])
    }
}
