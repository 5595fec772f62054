public import NoteIndex

/// What a check of the storage directory and of the index found.
public struct NoteVerification: Hashable, Sendable {
    /// Something that is not as it should be. It concerns only the file or note that it names.
    public struct Problem: Hashable, Sendable {
        /// The path below the storage directory, if it is about a file.
        public var file: String?
        public var note: String?
        /// What is wrong and what to do.
        public var text: String

        public init(file: String? = nil, note: String? = nil, text: String) {
            self.file = file
            self.note = note
            self.text = text
        }
    }

    /// Notes whose files are here.
    public var notes: Int
    /// Records of all logs that could be read.
    public var records: Int
    public var problems: [Problem]
    public var isOK: Bool { problems.isEmpty }

    public init(notes: Int, records: Int, problems: [Problem]) {
        self.notes = notes
        self.records = records
        self.problems = problems
    }
}

/// What an export wrote or an import brought in.
public struct NoteTransfer: Hashable, Sendable {
    public var notes: [NoteSummary]
    /// Pictures that were copied.
    public var media: Int
    /// What was left out, and why.
    public var problems: [String]
    /// How many of the notes were here before and have been changed, and how many were here and are as they were.
    public var updated = 0
    public var unchanged = 0
    /// What is text now, because notes have nothing like it, and where it is.
    public var kept: [String] = []

    public init(notes: [NoteSummary], media: Int, problems: [String]) {
        self.notes = notes
        self.media = media
        self.problems = problems
    }
}
