package import Agents
package import AppCore

/// Events of an agent in the core's words. Pieces of an answer that follow each other become one.
struct AgentBatch {
    private let turn: Int
    private let name: String
    private let places: AgentPlaces?
    private(set) var deltas: [AgentDelta] = []
    /// Why the agent is over; `nil` while it is not.
    private(set) var end: AgentError??
    /// Up to where the log of an agent of somebody else, or under a supervisor, was told.
    private(set) var position: Int?
    /// The piece that grows, and whether it is a thought.
    private var piece: (text: String, omitted: Int, isThought: Bool)?

    /// Bytes of one piece.
    static let pieceBytes = 32 << 10

    /// - Parameters:
    ///   - turn: the turn that ends when one does.
    ///   - name: what the agent is called in failures.
    ///   - places: where its places lead, if it is an agent of this machine.
    init(turn: Int, name: String, places: AgentPlaces? = nil) {
        (self.turn, self.name, self.places) = (turn, name, places)
    }

    /// What is known of the agent since its start.
    mutating func addTakingInterjections() { tell(.takesInterjections) }
    mutating func add(seesPictures: Bool) { tell(.seesPictures(sees: seesPictures)) }

    mutating func add(_ event: AgentEvent) {
        switch event {
        case .text(let text): grow(text, isThought: false)
        case .reasoning(let text): grow(text, isThought: true)
        case .rolledBack(let isWhole): tell(.rolledBack(whole: isWhole))
        case .toolCall(let call): tell(.called(call: named(call), whole: true))
        case .toolCallChanged(let call): tell(.called(call: named(call), whole: false))
        case .plan(let steps):
            tell(.planned(steps: steps.map { AgentPlanStep(content: $0.content, status: $0.status) }))
        case .permission(let asked):
            let options = asked.options.map { AgentApproval.Option(id: $0.id, kind: $0.kind, name: $0.name) }
            let input = asked.input.map { $0 == .secret ? AgentApproval.Input.secret : .text }
            tell(
                .asks(
                    request: asked.id.number, call: named(asked.toolCall), options: options, input: input))
        case .permissionGone(let id): tell(.withdrew(request: id.number))
        case .usage(let usage):
            // Strangers say how many, so the sum may be too large for a number.
            let (sum, isTooLarge) = (usage.input ?? 0).addingReportingOverflow(usage.output ?? 0)
            tell(.used(tokens: usage.used ?? (isTooLarge ? .max : sum), size: usage.size))
        case .title(let title): tell(.titled(title: title))
        case .opened(let thread, let goesOn): tell(.opened(thread: thread, goesOn: goesOn))
        case .retold(let parts): tell(.retold(parts: parts.map(AgentRetold.init)))
        case .setting(let setting): tell(.offers(chooser: AgentChooser(setting)))
        case .chosen(let kind, let option): tell(.chose(kind: .init(kind), option: option))
        case .mode(let mode): tell(.chose(kind: .mode, option: mode))
        case .detail(let text): tell(.detailed(text: text))
        case .remark(let text): tell(.remarked(text: CutText(text)))
        case .turnEnded(let stop): tell(.turnEnded(turn: turn, end: AgentTurnEnd(stop, of: name)))
        case .link(.supervised(let supervisor)): tell(.supervised(by: supervisor))
        case .link(.position(let reached)): position = reached
        case .link(.away): tell(.away)
        case .link(.back): tell(.back)
        case .link(.anew): tell(.anew)
        case .link(.tooLate(let id)): tell(.tooLate(request: id.number))
        case .link(.interjected(let number, let isRead)): tell(.interjected(prompt: number, isRead: isRead))
        case .ended(let error):
            close()
            end = .some(error)
        // What a person said they know, and names of protocols say nothing to them.
        case .userText, .toolInput, .other, .unreadable: break
        }
    }

    private func named(_ call: AgentToolCall) -> AgentCall {
        let call = AgentCall(call)
        return places?.named(call) ?? call
    }

    private mutating func tell(_ delta: AgentDelta) {
        close()
        deltas.append(delta)
    }

    private mutating func grow(_ more: AgentText, isThought: Bool) {
        if let known = piece,
            known.isThought != isThought || known.omitted > 0
                || known.text.utf8.count + more.text.utf8.count > Self.pieceBytes
        {
            close()
        }
        var rest = Substring(more.text)
        while rest.utf8.count > Self.pieceBytes {
            let start = String(rest).limited(to: Self.pieceBytes)
            guard !start.isEmpty else { break }
            append(isThought, CutText(start))
            rest = rest.dropFirst(start.count)
        }
        let grown = (piece?.text ?? "") + rest
        piece = (grown, (piece?.omitted ?? 0) + more.omitted, isThought)
    }

    private mutating func close() {
        guard let (text, omitted, isThought) = piece else { return }
        piece = nil
        append(isThought, CutText(text, omitted: omitted))
    }

    private mutating func append(_ isThought: Bool, _ text: CutText) {
        deltas.append(isThought ? .thought(text: text) : .text(text: text))
    }

    /// Ends the last piece.
    consuming func finished() -> AgentBatch {
        var batch = self
        batch.close()
        // With all that was said before it: both are kept in one step.
        if let position = batch.position { batch.deltas.append(.position(position: position)) }
        return batch
    }
}

extension CutText {
    fileprivate init(_ text: AgentText) { self.init(text.text, omitted: text.omitted) }
}

extension AgentRetold {
    fileprivate init(_ part: AgentRetoldPart) {
        switch part {
        case .asked(let text): self = .asked(text: CutText(text))
        case .said(let text): self = .said(text: CutText(text))
        case .thought(let text): self = .thought(text: CutText(text))
        case .called(let call): self = .called(call: AgentCall(call))
        }
    }
}

extension AgentChooser {
    fileprivate init(_ setting: AgentSetting) {
        self.init(
            kind: Kind(setting.kind), current: setting.current,
            options: setting.options.map { Option(id: $0.id, name: $0.name) })
    }
}

extension AgentChooser.Kind {
    fileprivate init(_ kind: AgentSetting.Kind) { self = kind == .mode ? .mode : .model }
}

extension AgentSetting.Kind {
    init(_ kind: AgentChooser.Kind) { self = kind == .mode ? .mode : .model }
}

extension AgentCall {
    package init(_ call: AgentToolCall) {
        self.init(
            id: call.id, title: call.title, kind: call.kind, status: call.status, input: call.input.map(CutText.init),
            output: call.output.map(CutText.init), results: call.results?.map(Result.init), paths: call.paths)
    }
}

extension AgentCall.Result {
    fileprivate init(_ result: AgentToolCall.Result) {
        switch result {
        case .text(let text): self = .text(text: CutText(text))
        case .difference(let path, let old, let new):
            self = .difference(path: path, old: old.map(CutText.init), new: CutText(new))
        case .other(let name): self = .other(name: name)
        }
    }
}

extension AgentTurnEnd {
    fileprivate init(_ stop: AgentStop, of name: String) {
        switch stop {
        case .done: self.init(.done)
        case .tokenLimit: self.init(.tokenLimit)
        case .requestLimit: self.init(.requestLimit)
        case .refused: self.init(.refused)
        case .cancelled: self.init(.stopped)
        case .failed(let error): self.init(.failed, Failure(error, of: name))
        case .other: self.init(.other)
        }
    }
}
