internal import CRDTBridge
internal import NoteFiles
internal import NoteIndex
internal import RichText
internal import Synchronization

extension NoteLibrary {
    /// The note for an editor: with its authors, and a revision to base the edit on.
    package func text(of note: String) async throws(NoteFailure) -> NoteText {
        try text(of: open(note))
    }

    /// The note for an editor whose result is to be saved. Throws at once what ``replace(_:markdown:base:)`` would throw for any text.
    package func textToEdit(of note: String) async throws(NoteFailure) -> NoteText {
        let id = try openForChange(note)
        _ = try writer()
        let shown = try text(of: id)
        guard shown.markdown.utf8.count <= Self.textLimit else {
            throw NoteFailure(
                .tooLarge,
                "the note has more than \(Self.textLimit >> 20) MiB of Markdown, and cannot be edited whole: make several notes of it. "
                    + "`alcove note show \(note) --raw` prints it")
        }
        return shown
    }

    /// The note for an editor now and after every change, until the caller lets go of the stream.
    package func texts(of note: String) async throws(NoteFailure) -> AsyncStream<NoteText> {
        let id = try open(note)
        let first = try text(of: id)
        let news = broadcast.listen()
        return AsyncStream { continuation in
            continuation.yield(first)
            let reading = Task { [weak self] in
                var last = first
                for await change in news {
                    guard case .note(let summary, _) = change, summary.id == note else {
                        if case .removed(note, _) = change { break }
                        continue
                    }
                    guard let self, let text = try? await self.text(of: note) else { continue }
                    if text != last { continuation.yield(text) }
                    last = text
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }

    /// Makes of a note what a person made of its Markdown. Only what differs from `base` is changed; what others did
    /// since then stays. To ask for it again, because the answer was lost, changes nothing more.
    /// - Parameter base: the revision that the person saw.
    @discardableResult
    package func replace(
        _ note: String, markdown: String, base: String
    ) async throws(NoteFailure) -> NoteReplacement {
        try Self.checkSize(of: markdown)
        let id = try openForChange(note)
        let state = try baseState(base, of: id)
        let client = ShownRevisions.client(state, markdown)
        let written = Mutex(state)
        try commitContent(to: id) { bridge in
            let old = try bridge.tree(of: [state])
            let new = RichText(markdown: markdown, editing: old)
            try Self.checkSize(of: new)
            if let name = new.elementMadeCode(editing: old) { throw NoteFailure.changedInside(name) }
            let edits = RichText.difference(from: old, to: new)
            let update = try NoteFailure.writing { try bridge.edit(note, from: state, as: client, edits) }
            if let update { written.withLock { $0 = (try? bridge.merge([state, update])) ?? state } }
            return [update]
        }
        let revision = shown.keep(written.withLock(\.self), showing: markdown, of: note, at: options.clock())
        return NoteReplacement(text: try text(of: id), revision: revision)
    }

    private func text(of note: NoteID) throws(NoteFailure) -> NoteText {
        let content = try content(of: note)
        let state = try crdt { try $0.state(of: note.text) }
        let markdown = content.markdown()
        let revision = shown.keep(state, showing: markdown, of: note.text, at: options.clock())
        let written = try writtenText(of: note, content)
        return NoteText(
            note: try summary(of: note.text), revision: revision, spans: Authorship.spans(of: markdown, by: written))
    }

    /// The state that a revision showed: as it was kept, or as the logs say that it was at that time.
    private func baseState(_ revision: String, of note: NoteID) throws(NoteFailure) -> [UInt8] {
        if let state = shown.state(revision, of: note.text) { return state }
        if let (time, digest) = ShownRevisions.parts(of: revision) {
            let state = try state(of: note, at: time)
            let content = try crdt { try $0.tree(of: [state]) }
            if ShownRevisions.digest(content.markdown()) == digest { return state }
        }
        throw NoteFailure(
            .revisionUnknown,
            "the note changed too much since this edit began: open it again and take your changes over")
    }
}

extension NoteFailure {
    static func changedInside(_ name: String) -> NoteFailure {
        NoteFailure(
            .badRequest,
            "the edit changes the JSON of “\(name)”, an element that nobody here knows: leave what is marked {.node} as it was, or "
                + "remove it as a whole")
    }
}
