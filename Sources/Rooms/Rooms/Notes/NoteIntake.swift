import Networking

/// Counts what one side has taken from the other over one link, so that shared notes cannot fill memory or disk.
struct NoteIntake {
    private var bytes: [String: Int] = [:]
    private var pictures = 0
    private var offers = 0
    private var places: TokenBucket?
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

    mutating func takesPicture(bytes count: Int) { pictures += count }

    /// Whether one more picture of any size can be taken.
    var hasRoomForPictures: Bool { pictures + NoteLimits.picture <= NoteLimits.pictureIntake }

    /// - Parameter now: milliseconds of any clock.
    /// - Returns: false if the other side said too often where its person is.
    mutating func takesCursor(at now: Int64) -> Bool {
        var bucket = places ?? TokenBucket(NoteLimits.cursors, now: now)
        defer { places = bucket }
        return bucket.take(NoteLimits.cursors, now: now) == nil
    }

    /// - Returns: false if notes were offered or renamed too often.
    mutating func takesOffer() -> Bool {
        guard offers < NoteLimits.offers else { return false }
        offers += 1
        return true
    }
}
