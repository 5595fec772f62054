/// The words after a command's name, read against the options that the command declares.
///
/// `--name value`, `--name=value` and flags are understood; `--` ends the options.
struct Arguments {
    struct Option: Equatable {
        var name: String
        /// What the value is called in the help text; nil for a flag.
        var value: String?
        var help: String

        /// One letter for it, because everybody's fingers know it.
        var short: String? { ["output": "-o", "follow": "-f"][name] }

        static func flag(_ name: String, _ help: String) -> Option { Option(name: name, value: nil, help: help) }

        static func value(_ name: String, _ value: String, _ help: String) -> Option {
            Option(name: name, value: value, help: help)
        }
    }

    /// The words that are not options, as many as the command takes.
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    init(_ words: [String], of command: CommandReference) throws(UsageError) {
        try read(words, command.options)
        try command.takes.check(operands, of: command)
    }

    private mutating func read(_ words: [String], _ options: [Option]) throws(UsageError) {
        let known = Dictionary(options.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            let word = options.first { $0.short == word }.map { "--" + $0.name } ?? word
            guard word.hasPrefix("--") else {
                operands.append(word)
                continue
            }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let option = known[name] else { throw UsageError("there is no option --\(name)") }
            guard option.value != nil else {
                guard parts.count == 1 else { throw UsageError("--\(name) takes no value") }
                flags.insert(name)
                continue
            }
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw UsageError("--\(name) needs a value")
            }
            values[name, default: []].append(value)
        }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// The last value given for an option.
    subscript(name: String) -> String? { values[name]?.last }

    /// Every value given for an option that may be repeated.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "--\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\""
            )
        }
        return number
    }
}

/// How many words a command takes after its name, besides options.
struct Operands {
    private let count: ClosedRange<Int>
    /// What they are, for the message about too few or too many; nil if the command takes only options.
    private let meaning: String?

    static let none = Operands(count: 0...0, meaning: nil)

    static func none(_ meaning: String) -> Operands { Operands(count: 0...0, meaning: meaning) }

    static func one(_ meaning: String) -> Operands { Operands(count: 1...1, meaning: meaning) }

    static func optional(_ meaning: String) -> Operands { Operands(count: 0...1, meaning: meaning) }

    static func some(_ count: ClosedRange<Int>, _ meaning: String) -> Operands {
        Operands(count: count, meaning: meaning)
    }

    func check(_ words: [String], of command: CommandReference) throws(UsageError) {
        guard !count.contains(words.count) else { return }
        let meaning = meaning ?? "\(command.name) takes only options"
        throw UsageError(words.count < count.lowerBound ? "missing: \(meaning)" : "too many words: \(meaning)")
    }
}

/// The command line cannot be understood (`EX_USAGE`).
struct UsageError: Error {
    let explanation: String
    init(_ explanation: String) { self.explanation = explanation }
}
