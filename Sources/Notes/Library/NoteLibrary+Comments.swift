extension NoteLibrary {
    /// The threads of a note, in the order of the text.
    public func comments(on note: String) async throws(NoteFailure) -> [NoteComment] {
        throw NoteFailure(.failed, "comments are not there yet")
    }

    /// Begins a thread about the first place where the note says `quoted`.
    /// - Parameter text: at most 10 000 characters.
    @discardableResult
    public func comment(
        on note: String, quoting quoted: String, _ text: String
    ) async throws(NoteFailure) -> NoteComment {
        throw NoteFailure(.failed, "comments are not there yet")
    }

    @discardableResult
    public func reply(
        to comment: String, on note: String, _ text: String
    ) async throws(NoteFailure) -> NoteComment {
        throw NoteFailure(.failed, "comments are not there yet")
    }

    /// Settles a thread, or opens it again.
    @discardableResult
    public func resolve(
        _ comment: String, on note: String, _ isResolved: Bool = true
    ) async throws(NoteFailure) -> NoteComment {
        throw NoteFailure(.failed, "comments are not there yet")
    }

    /// Adds a reaction of ours to a thread, or to a reply in it.
    @discardableResult
    public func react(
        _ emoji: String, to comment: String, reply: String? = nil, on note: String
    ) async throws(NoteFailure) -> NoteComment {
        throw NoteFailure(.failed, "comments are not there yet")
    }
}
