package import NoteIndex

/// What a check of the storage directory and of the index found.
package struct NoteVerification: Hashable, Sendable {
    /// Something that is not as it should be. It concerns only the file or note that it names.
    package struct Problem: Hashable, Sendable {
        /// The path below the storage directory, if it is about a file.
        package var file: String?
        package var note: String?
        /// What is wrong and what to do.
        package var text: String

        package init(file: String? = nil, note: String? = nil, text: String) {
            self.file = file
            self.note = note
            self.text = text
        }
    }

    /// Notes whose files are here.
    package var notes: Int
    /// Records of all logs that could be read.
    package var records: Int
    package var problems: [Problem]
    package var isOK: Bool { problems.isEmpty }

    package init(notes: Int, records: Int, problems: [Problem]) {
        self.notes = notes
        self.records = records
        self.problems = problems
    }
}

/// What an export wrote or an import brought in.
package struct NoteTransfer: Hashable, Sendable {
    package var notes: [NoteSummary]
    /// Pictures that were copied.
    package var media: Int
    /// What was left out, and why.
    package var problems: [String]
    /// How many of the notes were here before and have been changed, and how many were here and are as they were.
    package var updated = 0
    package var unchanged = 0
    /// What is text now, because notes have nothing like it, and where it is.
    package var kept: [String] = []

    package init(notes: [NoteSummary], media: Int, problems: [String]) {
        self.notes = notes
        self.media = media
        self.problems = problems
    }
}
