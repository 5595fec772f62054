import AppCore

/// What the world knows about notes: the folder with what everybody wrote in it.
struct NotesWorld: Sendable {
    private(set) var notes: [NoteID: WorldNote] = [:]
    /// In the order in which they came to be.
    private(set) var order: [NoteID] = []
    var folders: [ListedFolder] = []
    /// The effect under which the core is told what is in the folder.
    var opening: EffectID?
    /// The effects under which it is told texts.
    var readers: [NoteID: EffectID] = [:]
    /// The effects under which it is told what is around notes.
    var followers: [NoteID: EffectID] = [:]
    /// What is shared over links that stand.
    var shares: [RoomID: [NoteID: EffectID]] = [:]
    /// What the other people share.
    var peerShares: [RoomID: Set<NoteID>] = [:]
    /// Writes that are done; a repetition is the same request.
    var written: [EffectID: String] = [:]
    /// Notes that are still to be read.
    var remaining = 0
    private var made = 0

    subscript(id: NoteID) -> WorldNote? { notes[id] }

    /// Changes a note; one that is not known yet is added.
    mutating func update(_ id: NoteID, at now: Timestamp, _ change: (inout WorldNote) -> Void) {
        if notes[id] == nil { order.append(id) }
        change(&notes[id, default: WorldNote(id: id, at: now)])
    }

    mutating func remove(_ id: NoteID) {
        notes[id] = nil
        order.removeAll { $0 == id }
        for room in peerShares.keys { peerShares[room]?.remove(id) }
    }

    mutating func number() -> Int {
        made += 1
        return made
    }

    /// A name for a state of a note that no other state has.
    mutating func revision() -> String { "revision-\(number())" }

    var listed: [ListedNote] { order.compactMap { notes[$0]?.listed } }

    /// Ends subscriptions with the process; the folder keeps its content.
    mutating func processEnded() {
        opening = nil
        readers = [:]
        followers = [:]
        shares = [:]
    }
}

/// One note, with all its states.
struct WorldNote: Sendable {
    private(set) var listed: ListedNote
    private(set) var text = WorldText()
    private(set) var revision = ""
    var surroundings = NoteSurroundings()
    private var past: [String: WorldText] = [:]

    /// States that are remembered.
    private static let pastLimit = 1000

    init(id: NoteID, at now: Timestamp) { listed = ListedNote(id: id, title: "", created: now, modified: now) }

    init(_ listed: ListedNote, revision: String) {
        self.listed = listed
        set(WorldText(listed.title + (listed.preview.isEmpty ? "" : "\n\n" + listed.preview)), as: revision)
    }

    mutating func list(_ change: (inout ListedNote) -> Void) { change(&listed) }

    mutating func set(_ text: WorldText, as revision: String) {
        self.text = text
        self.revision = revision
        remember(text, as: revision)
        let lines = text.string.split(whereSeparator: \.isNewline).map(String.init)
        listed.title = lines.first ?? ""
        listed.preview = lines.dropFirst().joined(separator: " ")
        listed.tags = text.string.tags
    }

    mutating func remember(_ text: WorldText, as revision: String) {
        if past.count >= Self.pastLimit { past = [:] }
        past[revision] = text
    }

    /// The text at an earlier revision, or the present text if the revision is unknown.
    func state(_ revision: String) -> WorldText { past[revision] ?? text }
}

/// Text that records the author of each character, so that concurrent changes merge as in the real library.
struct WorldText: Sendable, Hashable {
    private var letters: [Letter] = []

    private struct Letter: Sendable, Hashable {
        var character: Character
        var author: String?
    }

    init(_ text: String = "", by author: String? = nil) {
        letters = text.map { Letter(character: $0, author: author) }
    }

    init(_ spans: [NoteSpan]) { letters = spans.flatMap { WorldText($0.text, by: $0.author).letters } }

    var string: String { String(letters.map(\.character)) }

    var spans: [NoteSpan] {
        var spans: [NoteSpan] = []
        for letter in letters {
            if let last = spans.indices.last, spans[last].author == letter.author {
                spans[last].text.append(letter.character)
            } else {
                spans.append(NoteSpan(text: String(letter.character), author: letter.author))
            }
        }
        return spans
    }

    /// Applies a change made to an earlier state, and keeps the changes that others made since.
    mutating func merge(_ edited: String, basedOn base: WorldText, by author: String?) {
        let change = Change(from: base, to: WorldText(edited, by: author))
        let since = Change(from: base, to: self)
        guard !change.isEmpty, !change.saysTheSame(as: since) else { return }
        if change.range.upperBound <= since.range.lowerBound {
            letters.replaceSubrange(change.range, with: change.letters)
        } else if change.range.lowerBound >= since.range.upperBound {
            let shift = since.letters.count - since.range.count
            let range = (change.range.lowerBound + shift)..<(change.range.upperBound + shift)
            letters.replaceSubrange(range, with: change.letters)
        } else {
            letters.insert(contentsOf: change.letters, at: since.range.lowerBound + since.letters.count)
        }
    }

    /// What leads from one text to another: one range, and what stands there instead.
    private struct Change {
        let range: Range<Int>
        let letters: [Letter]

        init(from old: WorldText, to new: WorldText) {
            let (before, after) = (old.letters.map(\.character), new.letters.map(\.character))
            let shorter = min(before.count, after.count)
            let start = (0..<shorter).first { before[$0] != after[$0] } ?? shorter
            let end = (0..<(shorter - start)).first { before[before.count - 1 - $0] != after[after.count - 1 - $0] }
            let kept = end ?? shorter - start
            range = start..<(before.count - kept)
            letters = Array(new.letters[start..<(after.count - kept)])
        }

        var isEmpty: Bool { range.isEmpty && letters.isEmpty }

        func saysTheSame(as other: Change) -> Bool {
            range == other.range && letters.map(\.character) == other.letters.map(\.character)
        }
    }
}

extension String {
    /// The words after a `#`.
    fileprivate var tags: [String] {
        var tags: [String] = []
        for piece in split(separator: "#", omittingEmptySubsequences: false).dropFirst() {
            let tag = piece.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.lowercased()
            if tag.first?.isLetter == true, !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }
}
