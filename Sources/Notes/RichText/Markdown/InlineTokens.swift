/// The parts of a line of Markdown, which decide together how marks are spelled.
struct InlineTokens {
    /// All but text begins and ends with ASCII punctuation.
    enum Token {
        case text(String)
        case open(ShownMark)
        case close(ShownMark)
        /// Complete in itself; to a `isBinding` one an opening brace behind it would belong.
        case atom(String, isBinding: Bool)
        case lineBreak
    }

    private let tokens: [Token]

    init(_ tokens: [Token]) { self.tokens = tokens }

    var markdown: String { tokens.indices.map(spelling).joined() }

    private func spelling(of index: Int) -> String {
        switch tokens[index] {
        case .text(let text), .atom(let text, _): return text
        case .lineBreak: return "\\\n"
        case .open(.link): return "["
        case .close(.link(let href, let mode)):
            return "](\(Escaping.destination(href)))" + (mode.map { "{.\($0)}" } ?? "")
        case .open(let mark):
            return (isDelimited(from: index) ? mark.delimiter : nil) ?? "<\(mark.tag)>"
        case .close(let mark):
            guard let start = start(of: index), isDelimited(from: start),
                let delimiter = mark.delimiter
            else { return "</\(mark.tag)>" }
            return delimiter
        }
    }

    /// Whether CommonMark takes the delimiters of a mark for what they are (section 6.2, flanking).
    private func isDelimited(from start: Int) -> Bool {
        guard case .open(let mark) = tokens[start], let end = end(of: start) else { return false }
        let isUnderscore = mark.delimiter == "_"
        func opens(_ index: Int, inwards step: Int) -> Bool {
            neighbours(index, -step).allSatisfy { outer in
                neighbours(index, step).allSatisfy { inner in
                    Neighbour.opens(outer, inner, isUnderscore: isUnderscore)
                }
            }
        }
        return opens(start, inwards: 1) && opens(end, inwards: -1)
    }

    /// What may count as standing beside a delimiter: libcmark-gfm looks through tildes.
    private func neighbours(_ index: Int, _ step: Int) -> [Neighbour] {
        var seen: [Neighbour] = []
        var index = index + step
        while tokens.indices.contains(index) {
            switch tokens[index] {
            case .text(let text):
                return seen + [Neighbour(step < 0 ? text.unicodeScalars.last : text.unicodeScalars.first)]
            case .lineBreak: return seen + [step < 0 ? .space : .punctuation]
            case .open(.strike), .close(.strike): seen = [.punctuation]
            case .open, .close, .atom: return [.punctuation]
            }
            index += step
        }
        return seen + [.space]
    }

    private func end(of start: Int) -> Int? {
        guard case .open(let mark) = tokens[start] else { return nil }
        return tokens[start...].firstIndex { if case .close(mark) = $0 { true } else { false } }
    }

    private func start(of end: Int) -> Int? {
        guard case .close(let mark) = tokens[end] else { return nil }
        return tokens[...end].lastIndex { if case .open(mark) = $0 { true } else { false } }
    }
}

/// What stands beside a delimiter.
private enum Neighbour {
    case space
    case punctuation
    case letter
    /// Versions of CommonMark differ on it.
    case unclear

    init(_ scalar: Unicode.Scalar?) {
        guard let scalar else {
            self = .space
            return
        }
        if scalar.isASCII {
            self = scalar == " " ? .space : scalar.isASCIIAlphanumeric ? .letter : .punctuation
        } else {
            self = scalar.properties.isAlphabetic ? .letter : .unclear
        }
    }

    /// Whether a delimiter opens between `outer` and `inner`; seen from the other side, whether it closes.
    static func opens(_ outer: Neighbour, _ inner: Neighbour, isUnderscore: Bool) -> Bool {
        switch (outer, inner) {
        case (.unclear, _), (_, .unclear), (_, .space), (.letter, .punctuation): false
        case (.letter, .letter): !isUnderscore
        default: true
        }
    }
}
