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

    private var words: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    init(_ words: [String], options: [Option]) throws(UsageError) {
        let known = Dictionary(options.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                self.words += rest
                return
            }
            let word = options.first { $0.short == word }.map { "--" + $0.name } ?? word
            guard word.hasPrefix("--") else {
                self.words.append(word)
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

    /// The words that are not options, if there are as many as the command takes.
    func operands(_ range: ClosedRange<Int>, _ meaning: String) throws(UsageError) -> [String] {
        guard range.contains(words.count) else {
            throw UsageError(words.count < range.lowerBound ? "missing: \(meaning)" : "too many words: \(meaning)")
        }
        return words
    }
}

/// The command line cannot be understood (`EX_USAGE`).
struct UsageError: Error {
    let explanation: String
    init(_ explanation: String) { self.explanation = explanation }
}
