/// Counts what one side has taken from the other over one link, so that shared notes cannot fill memory or disk.
struct NoteIntake {
    private var bytes: [String: Int] = [:]
    private var offers = 0
    /// Notes that exceeded their limit.
    private(set) var refused: Set<String> = []

    /// - Returns: false if an update exceeds the limit of its note, or of all notes.
    mutating func takesUpdate(of note: String, bytes count: Int) -> Bool {
        let ofNote = bytes[note, default: 0] + count
        guard ofNote <= NoteLimits.noteIntake, bytes.values.reduce(count, +) <= NoteLimits.intake else {
            refused.insert(note)
            return false
        }
        bytes[note] = ofNote
        return true
    }

    /// - Returns: false if notes were offered or renamed too often.
    mutating func takesOffer() -> Bool {
        guard offers < NoteLimits.offers else { return false }
        offers += 1
        return true
    }
}
