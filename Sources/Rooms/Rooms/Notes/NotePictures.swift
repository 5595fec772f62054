/// A picture that a note shows.
package struct SharedPicture: Hashable, Sendable {
    package let note: String
    /// Half of the SHA-256 of its bytes: 32 hexadecimal digits in small letters.
    package let id: String

    /// - Returns: nil if the id is no such hash. Ids of other kinds exist in old folders; nobody could check what comes for them.
    package init?(_ id: String, of note: String) {
        let digits = id.utf8
        guard digits.count == 32, digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        (self.note, self.id) = (note, id)
    }
}

/// The pictures under way, one at a time each way. They wait until nothing else does, and what comes between their parts is not delayed.
struct NotePictures {
    /// What this side asked for, until it has come.
    private(set) var wanted: SharedPicture?
    private var assembly = NoteAssembly()
    /// What the other side asked for, until it is sent.
    private(set) var asked: SharedPicture?
    private var outgoing: NoteFrame.Part?
    private var offset = 0

    // What this side wants.

    /// - Returns: false if another one is under way.
    mutating func want(_ picture: SharedPicture) -> Bool {
        guard wanted == nil else { return false }
        wanted = picture
        return true
    }

    /// Takes a part of what was asked for.
    /// - Returns: the whole, once its last part has come; it is empty if the other side does not have it.
    /// - Throws: ``NoteAssembly/Stray`` for what was not asked for, or continues nothing.
    mutating func add(_ part: NoteFrame.Part) throws(NoteAssembly.Stray) -> (picture: SharedPicture, bytes: [UInt8])? {
        guard let wanted, wanted.note == part.note, wanted.id == part.picture else { throw NoteAssembly.Stray() }
        guard let whole = try assembly.add(part) else { return nil }
        self.wanted = nil
        return (wanted, whole.bytes)
    }

    // What the other side wants.

    /// - Returns: false if it asked for more than one.
    mutating func ask(_ picture: SharedPicture) -> Bool {
        guard asked == nil else { return false }
        asked = picture
        return true
    }

    /// The owner's answer; empty if the picture is not here.
    mutating func answer(_ bytes: [UInt8], for picture: SharedPicture) {
        guard asked == picture, outgoing == nil else { return }
        let isSent = bytes.count <= NoteLimits.picture
        outgoing = NoteFrame.Part(
            note: picture.note, kind: .picture, total: isSent ? bytes.count : 0, offset: 0, bytes: isSent ? bytes : [],
            picture: picture.id)
        offset = 0
    }

    /// The next frame, with at most `size` bytes of content.
    func next(atMost size: Int) -> NoteFrame? {
        guard var part = outgoing else { return nil }
        part.bytes = Array(part.bytes[offset..<min(offset + size, part.total)])
        part.offset = offset
        return .part(part)
    }

    mutating func sent(_ part: NoteFrame.Part) {
        offset = part.offset + part.bytes.count
        if offset == part.total { (asked, outgoing) = (nil, nil) }
    }

    // The end.

    /// The note is not live any more.
    mutating func forget(_ note: String) {
        if wanted?.note == note { forgetIncoming() }
        if asked?.note == note { forgetOutgoing() }
    }

    mutating func forgetOutgoing() { (asked, outgoing) = (nil, nil) }

    mutating func forgetIncoming() {
        wanted = nil
        assembly.clear()
    }
}
