import Notes

/// The library of notes of a host: opened when it is first needed, the same for all who ask.
actor NotesFolder {
    private let path: String
    private let home: String
    private var person: String
    private var opening: Task<NoteLibrary, any Error>?
    /// How long it took to open the library, until the first note could be made or read.
    private(set) var readyAfter: Duration?

    init(path: String, home: String, person: String) {
        self.path = path
        self.home = home
        self.person = person
    }

    /// The name under which this person writes from now on.
    func call(_ person: String) async {
        guard person != self.person else { return }
        self.person = person
        // The last name counts also if an earlier one is still on its way.
        if let library = try? await opening?.value { await library.call(self.person) }
    }

    /// - Throws: ``NoteFailure`` if the folder cannot be used; the next request tries again.
    func library() async throws -> NoteLibrary {
        let start = ContinuousClock.now
        let task = opening ?? Task { try await NoteLibrary.open(path, home: home, person: person) }
        opening = task
        do {
            let library = try await task.value
            if readyAfter == nil { readyAfter = ContinuousClock.now - start }
            return library
        } catch {
            if opening == task { opening = nil }
            throw error
        }
    }

    /// Writes what waits and lets go of the folder, until somebody asks again.
    /// - Returns: why something could not be written.
    @discardableResult
    func close() async -> NoteFailure? {
        guard let opened = opening else { return nil }
        opening = nil
        return try? await opened.value.close()
    }
}
