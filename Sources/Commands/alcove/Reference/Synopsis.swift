/// What stands in the place of a name such as `FILE` in a help text, as far as a shell can complete it.
enum CompletedValue: Equatable {
    case file
    case folder
    /// One of these words.
    case choice([String])
    /// Words that only the person knows.
    case free

    /// - Parameter names: what a help text calls the value; names in capitals are explained, other words are meant as they are.
    init(_ names: [String]) {
        let words = names.flatMap { $0.split(separator: "|").map(String.init) }
        if words.contains(where: ["FILE", "PATH", "ZIP", "OUT", "LIBRARY"].contains) {
            self = .file
        } else if words.contains("DIR") {
            self = .folder
        } else if words.count > 1, words.allSatisfy({ $0.allSatisfy { $0.isLowercase || $0.isNumber } }) {
            self = .choice(words)
        } else {
            self = .free
        }
    }
}

extension Arguments.Option {
    /// What stands in the place of its value; nil for a flag.
    var completed: CompletedValue? { value.map { CompletedValue([$0]) } }

    /// `-o, --output FILE`, as help texts and manual pages show it.
    var written: String {
        (short.map { "\($0), " } ?? "") + "--" + name + (value.map { " " + $0 } ?? "")
    }
}

extension CommandReference {
    /// The words of the usage line that are neither options nor their values: `NOTE`, `FILE|-`.
    var operands: [String] {
        var rest = usage.split(whereSeparator: { " []<>…".contains($0) }).map(String.init)[...]
        var operands: [String] = []
        while let word = rest.popFirst() {
            if word == "|" || word == "options" || word.allSatisfy({ $0 == "." }) { continue }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let takesValue = allOptions.contains { ("--" + $0.name == word || $0.short == word) && $0.value != nil }
            if takesValue { _ = rest.popFirst() }
        }
        return operands
    }

    /// What a shell offers where no option stands.
    var completedOperand: CompletedValue { CompletedValue(operands) }
}
