import Foundation

/// What a page says that a command prints.
///
/// `…` stands for some text of a line, and alone in a line for any number of lines. Codes of rooms and ids of notes are made
/// anew each time; what the page calls them is learnt here, so that later commands mean the real ones.
struct ExpectedOutput {
    /// What the page calls something, and what it is called here.
    typealias Names = [String: String]

    private let lines: [String]
    private let numbersDiffer: Bool
    private let names: Names

    init(_ lines: [String], numbersDiffer: Bool, names: Names) {
        var lines = lines.map(Self.withoutBlanksAtEnd)
        while lines.last == "" { lines.removeLast() }
        (self.lines, self.numbersDiffer, self.names) = (lines, numbersDiffer, names)
    }

    /// Compares.
    /// - Parameter isWhole: whether the command has ended; otherwise more may come.
    /// - Returns: the names that were learnt; nil if it is something else.
    func names(in output: String, isWhole: Bool) -> Names? {
        var learnt: [String] = []
        var pattern = ""
        for line in lines {
            pattern += line == "…" ? #"(?:[^\n]*\n)*?"# : self.pattern(of: line, &learnt) + #" *\n"#
        }
        let text = output.hasSuffix("\n") || !isWhole ? output : output + "\n"
        let range = NSRange(text.startIndex..., in: text)
        guard let expression = try? NSRegularExpression(pattern: "\\A" + pattern + (isWhole ? #"\n*\z"# : "")),
            let match = expression.firstMatch(in: text, range: range)
        else { return nil }
        var names = names
        for (index, name) in learnt.enumerated() {
            guard let range = Range(match.range(at: index + 1), in: text) else { continue }
            names[name] = String(text[range])
            if let digits = name.split(separator: "-").first, digits.count == 6, digits.allSatisfy(\.isNumber) {
                names[String(digits)] = String(text[range].prefix(6))
            }
        }
        return names
    }

    /// What the person typed behind a question: the page shows it in the line of the question, where the program waits now.
    /// - Parameter question: the unfinished line.
    func answer(to question: String, after answered: Int) -> String? {
        let fitting = lines.filter { $0.hasPrefix(question) && $0.count > question.count }
        guard question.hasSuffix(": "), fitting.count > answered else { return nil }
        return String(fitting[answered].dropFirst(question.count))
    }

    /// A line as a regular expression.
    private func pattern(of line: String, _ learnt: inout [String]) -> String {
        var pattern = ""
        var rest = line[...]
        while let first = rest.first {
            if let name = Self.name(in: rest, after: line[..<rest.startIndex].last, known: names) {
                pattern += Self.pattern(ofName: name, names, &learnt)
                rest = rest.dropFirst(name.count)
            } else if first == "…" {
                pattern += #"[^\n]*?"#
                rest = rest.dropFirst()
            } else if numbersDiffer, first.isNumber || first == " " {
                let run = rest.prefix { first == " " ? $0 == " " : $0.isNumber || $0 == "." }
                pattern += first == " " ? " *" : #"[0-9]+(?:\.[0-9]+)*\.?"#
                rest = rest.dropFirst(run.count)
            } else {
                pattern += NSRegularExpression.escapedPattern(for: String(first))
                rest = rest.dropFirst()
            }
        }
        return pattern
    }

    private static func pattern(ofName name: String, _ names: Names, _ learnt: inout [String]) -> String {
        if let known = names[name] { return NSRegularExpression.escapedPattern(for: known) }
        if let index = learnt.firstIndex(of: name) { return "\\\(index + 1)(?:)" }
        learnt.append(name)
        return name.contains("-") && name.prefix(6).allSatisfy(\.isNumber)
            ? "([0-9]{6}(?:-[a-z]+)+)" : "([A-Za-z0-9_-]{22})"
    }

    /// A code such as `482913-maple-otter`, an id of a note, or what has a name already.
    private static func name(in text: Substring, after before: Character?, known: Names) -> String? {
        if let before, before.isLetter || before.isNumber { return nil }
        if let code = text.prefixMatch(of: #/[0-9]{6}-[a-z]+-[a-z]+/#) { return String(code.output) }
        if let id = text.prefixMatch(of: #/[A-Za-z0-9_-]{22}(?![A-Za-z0-9_-])/#)?.output,
            id.contains(where: \.isNumber),
            id.contains(where: \.isUppercase), id.contains(where: \.isLowercase)
        {
            return String(id)
        }
        return known.keys.first { text.hasPrefix($0) }
    }

    /// A command of the page with the real names.
    static func command(_ text: String, _ names: Names) -> String {
        // The whole code before its digits.
        names.sorted { $0.key.count > $1.key.count }.reduce(text) { text, name in
            text.replacingOccurrences(of: name.key, with: name.value)
        }
    }

    private static func withoutBlanksAtEnd(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}
