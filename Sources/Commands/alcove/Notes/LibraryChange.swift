import Notes

/// A command that changes one note or folder. It says nothing to a person, and prints the note or folder with `--json`.
struct LibraryChange {
    /// What the command is about: the first word of its name, and of its operands.
    enum Subject: String {
        case note, folder

        /// The id of what a person names.
        fileprivate func find(_ name: String, in library: NoteLibrary) async throws -> String {
            switch self {
            case .note: try await library.note(name).id
            case .folder: try await library.folder(name).id
            }
        }
    }

    /// - Parameters:
    ///   - id: of the note or folder.
    ///   - words: those after it.
    typealias Change = (
        _ library: NoteLibrary, _ id: String, _ words: ArraySlice<String>, _ arguments: Arguments
    ) async throws -> CommandResult

    private let subject: Subject
    private let verb: String
    private let summary: String
    private let usage: String
    private let words: ClosedRange<Int>
    private let options: [Arguments.Option]
    private let examples: [String]
    private let change: Change

    /// - Parameters:
    ///   - usage: what follows the note or folder.
    ///   - words: how many words that may be.
    init(
        _ subject: Subject, verb: String, summary: String, usage: String = "", words: ClosedRange<Int> = 0...0,
        options: [Arguments.Option] = [], examples: [String], change: @escaping Change
    ) {
        self.subject = subject
        self.verb = verb
        self.summary = summary
        self.usage = usage
        self.words = words
        self.options = options
        self.examples = examples
        self.change = change
    }

    var entry: CommandEntry {
        let usage = [subject.rawValue.uppercased(), usage].filter { !$0.isEmpty }.joined(separator: " ")
        let reference = CommandReference(
            "\(subject) \(verb)", usage, summary, takes: .some(words.lowerBound + 1...words.upperBound + 1, usage),
            options: NoteOptions.all + options + [CommandResult.option], examples: examples)
        return CommandEntry(reference) { arguments in
            let given = arguments.operands
            let result = try await NoteOptions.withLibrary(arguments) { library in
                try await change(library, try await subject.find(given[0], in: library), given[1...], arguments)
            }
            try result.show(arguments)
        }
    }
}
