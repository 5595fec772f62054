/// A text that was perhaps too long: what is kept of it, and how many bytes are not.
package struct CutText: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    package private(set) var text: String
    /// Bytes of UTF-8 that are left out; `nil` for none.
    package private(set) var omitted: Int?

    package init(_ text: String, omitted: Int = 0) {
        self.text = text
        self.omitted = omitted > 0 ? omitted : nil
    }

    package init(stringLiteral text: String) { self.init(text) }

    /// As much from the start as fits in `bytes`.
    func fitted(to bytes: Int) -> CutText {
        let kept = text.limited(to: max(bytes, 0))
        return CutText(kept, omitted: (omitted ?? 0).clampedSum(text.utf8.count - kept.utf8.count))
    }

    /// Adds a piece at the end, as far as the whole then fits in `bytes`. Behind something that is left out, nothing more is kept.
    mutating func add(_ piece: CutText, upTo bytes: Int) {
        let fits = omitted == nil ? piece.fitted(to: bytes - text.utf8.count) : piece.fitted(to: 0)
        text += fits.text
        let sum = (omitted ?? 0).clampedSum(fits.omitted ?? 0)
        omitted = sum > 0 ? sum : nil
    }
}

extension Int {
    /// The sum of two counts, however large they are said to be.
    func clampedSum(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(Swift.max(other, 0))
        return overflow ? .max : sum
    }
}

/// A call of a tool, as it is known. Nil members are unchanged, or not known.
package struct AgentCall: Sendable, Hashable, Codable {
    /// What came of it.
    package enum Result: Sendable, Hashable, Tagged {
        case text(text: CutText)
        /// A file as it was and as it is to be; without `old` it is a new one. The core keeps the ``change(path:lines:added:removed:)``.
        case difference(path: String, old: CutText?, new: CutText)
        /// What changes in a file, line by line, as ``LineDifference`` writes it.
        case change(path: String, lines: CutText, added: Int, removed: Int)
        /// Something that is not shown, by the protocol's name for it.
        case other(name: String)
    }

    /// The agent's own name for it.
    package var id: String
    package var title: String?
    /// `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `other`, or a word that is not known here.
    package var kind: String?
    /// `pending`, `in_progress`, `completed`, `failed`, or a word that is not known here.
    package var status: String?
    /// What it is given, as JSON.
    package var input: CutText?
    /// What it returned, as JSON.
    package var output: CutText?
    package var results: [Result]?
    /// Paths that it is about; they may be anything.
    package var paths: [String]?

    package init(
        id: String, title: String? = nil, kind: String? = nil, status: String? = nil, input: CutText? = nil,
        output: CutText? = nil, results: [Result]? = nil, paths: [String]? = nil
    ) {
        (self.id, self.title, self.kind, self.status) = (id, title, kind, status)
        (self.input, self.output, self.results, self.paths) = (input, output, results, paths)
    }

    /// The command line that it is given, as agents call it: `command`, a text or a list of words.
    var command: String? {
        guard let input, let members = try? JSON.decode(JSONValue.self, from: input.text.utf8) else { return nil }
        return members["command"]?.string
            ?? members["command"]?.array?.compactMap(\.string).joined(separator: " ")
    }

    /// With what has changed about it.
    func with(_ change: AgentCall) -> AgentCall {
        AgentCall(
            id: id, title: change.title ?? title, kind: change.kind ?? kind, status: change.status ?? status,
            input: change.input ?? input, output: change.output ?? output, results: change.results ?? results,
            paths: change.paths ?? paths)
    }

    /// As it may be kept and shown here.
    package var fitted: AgentCall {
        AgentCall(
            id: id.limited(to: AgentTalkLimits.nameBytes), title: title?.agentName, kind: kind?.agentName,
            status: status?.agentName, input: input?.fitted(to: AgentTalkLimits.inputBytes),
            output: output?.fitted(to: AgentTalkLimits.outputBytes), results: fittedResults,
            paths: paths?.prefix(AgentTalkLimits.elements).map(\.agentName))
    }

    /// One text after the other, as long as there is room for them together.
    private var fittedResults: [Result]? {
        var room = AgentTalkLimits.resultBytes
        return results?.prefix(AgentTalkLimits.elements).map { result in
            let fitted = result.fitted(to: room)
            room -= fitted.text?.text.utf8.count ?? 0
            return fitted
        }
    }

    /// Bytes of text that it takes, about.
    var bytes: Int {
        let texts = [input, output].compactMap(\.self) + (results ?? []).compactMap(\.text)
        let names = [id, title, kind, status].compactMap(\.self) + (results ?? []).compactMap(\.name) + (paths ?? [])
        return texts.reduce(256) { $0 + $1.text.utf8.count } + names.reduce(0) { $0 + 16 + $1.utf8.count }
    }
}

extension AgentCall.Result {
    /// The text that is shown of it.
    var text: CutText? {
        switch self {
        case .text(let text), .change(_, let text, _, _), .difference(_, _, let text): text
        case .other: nil
        }
    }

    /// What it names: a file, or what it is.
    fileprivate var name: String? {
        switch self {
        case .difference(let path, _, _), .change(let path, _, _, _): path
        case .other(let name): name
        case .text: nil
        }
    }

    fileprivate func fitted(to bytes: Int) -> AgentCall.Result {
        switch self {
        case .text(let text): return .text(text: text.fitted(to: bytes))
        case .difference(let path, let old, let new):
            let difference = LineDifference(from: old?.text, to: new.text)
            let missing = (old?.omitted ?? 0).clampedSum(new.omitted ?? 0)
            return .change(
                path: path.agentName, lines: CutText(difference.text, omitted: missing).fitted(to: bytes),
                added: difference.added, removed: difference.removed)
        case .change(let path, let lines, let added, let removed):
            return .change(path: path.agentName, lines: lines.fitted(to: bytes), added: added, removed: removed)
        case .other(let name): return .other(name: name.agentName)
        }
    }
}

extension String {
    /// A name, title or path of an agent's, fit to be kept. What nobody would see in it is shown and not left out: another path is another place.
    package var agentName: String {
        limited(to: AgentTalkLimits.nameBytes).lineWithControlsShown.limited(to: AgentTalkLimits.nameBytes)
    }
}
