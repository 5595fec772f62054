extension Presentation {
    /// One thing in a session with an agent.
    /// - Parameter isOver: whether its turn is over. A call that was under way then waits for nothing any more.
    func node(_ item: AgentItem, _ agent: String, isOver: Bool) -> SemanticNode {
        let id = "item.\(item.id)"
        var node: SemanticNode
        switch item.content {
        case .prompt(let text, let pictures):
            let shown = (pictures ?? []).map { self.node($0) }
            node = SemanticNode(.message, id, "agent.prompt", value: .text(text), at: item.at, shown)
            node.side = .own
        case .text(let text):
            node = SemanticNode(
                .message, id, .key("agent.said", ["name": .said(agent)]), value: .text(text.text),
                detail: text.omittedWords, at: item.at)
            node.side = .other
        case .thought(let text):
            node = SemanticNode(
                .message, id, "agent.thought", value: .text(text.text), detail: text.omittedWords, at: item.at)
            node.side = .note
            node.facts.isThought = true
        case .called(let call):
            let isLeft = isOver && call.isUnderWay
            node = SemanticNode(
                .section, id, call.titleWords, detail: isLeft ? "agent.call.left" : call.statusWords, at: item.at,
                isBusy: call.isUnderWay && !isLeft, call.parts(of: id))
            node.facts.tool = Facts.Tool(call)
        case .decided(let decision):
            node = SemanticNode(
                .text, id,
                .key("agent.decided", ["verdict": .words(decision.verdict.words), "title": .said(decision.title)]),
                at: item.at)
            node.facts.isAllowed = decision.verdict.isAllowed
        case .notTakenUp: node = SemanticNode(.text, id, "agent.not_taken_up", at: item.at)
        case .usedTool(let name, let isAllowed):
            node = SemanticNode(
                .text, id, .key(isAllowed ? "agent.used_tool" : "agent.refused_tool", ["name": .said(name)]),
                at: item.at)
            node.facts.isAllowed = isAllowed
        case .remarked(let text):
            node = SemanticNode(
                .message, id, "agent.remarked", value: .text(text.text), detail: text.omittedWords, at: item.at)
            node.side = .note
        case .logged(let text):
            node = SemanticNode(
                .message, id, "agent.log", value: .text(text.text.withControlsShown), detail: text.omittedWords,
                at: item.at)
            node.side = .note
            node.facts.isThought = true
        case .begunAnew: node = SemanticNode(.text, id, "agent.begun_anew", at: item.at)
        }
        return node
    }

    /// A picture of a prompt, as one of a room is shown.
    func node(_ picture: AgentPicture, _ buttons: [SemanticNode] = []) -> SemanticNode {
        var node = SemanticNode(
            .section, "picture.\(picture.id.text)", picture.nameWords,
            detail: .key("agent.picture.size", ["bytes": .bytes(Int64(picture.bytes))]), buttons)
        node.facts.bytes = Int64(picture.bytes)
        node.facts.media = Media(kind: .picture)
        return node
    }

    /// A question of an agent: everything that an answer is for, and the answers.
    func approval(_ approval: AgentApproval, of session: AgentSessionID) -> SemanticNode {
        let id = "approval.\(approval.id)"
        var parts = [SemanticNode(.text, "\(id).title", approval.call.titleWords)] + approval.call.parts(of: id)
        if !approval.call.isWhole, approval.input == nil {
            parts.append(SemanticNode(.text, "\(id).part", "approval.part"))
        }
        if approval.choices == [.reject], approval.input == nil {
            parts.append(SemanticNode(.text, "\(id).reject_only", "approval.reject_only"))
        }
        if let input = approval.input {
            parts.append(
                SemanticNode(
                    .secretField, "\(id).secret", input == .secret ? "approval.secret" : "approval.text",
                    detail: "approval.input.detail",
                    offers: [
                        Offer(
                            .setSecret,
                            .agents(.giveAgent(session: session, approval: approval.id, of: approval.of, secret: "-")),
                            inputs: ["secret": .secret])
                    ]))
        }
        let buttons = approval.choices.map { choice in
            var button = SemanticNode.button(
                "\(id).\(choice.rawValue)", .key("approval.\(choice.rawValue)"),
                .agents(
                    .answerAgent(session: session, approval: approval.id, of: approval.of, choice: choice)))
            button.detail = approval.name(of: choice).map {
                .key("approval.in_its_words", ["name": .said($0.lineWithControlsShown)])
            }
            return button
        }
        let question = approval.input == nil ? approval.call.questionWords : "approval.input"
        var node = SemanticNode(.section, id, question, at: approval.askedAt, parts + buttons)
        node.facts.approval = Facts.Approval(of: approval.of, expires: approval.expiresAt, input: approval.input)
        node.facts.tool = Facts.Tool(approval.call)
        return node
    }
}

extension AgentCall {
    /// What it is given, what it changes and what came of it, each in full as far as it is kept.
    fileprivate func parts(of id: String) -> [SemanticNode] {
        var nodes: [SemanticNode] = []
        if let input { nodes.append(Self.part("\(id).input", "agent.call.input", input)) }
        if let paths, !paths.isEmpty {
            let places = paths.map(\.withControlsShown).joined(separator: "\n")
            nodes.append(SemanticNode(.text, "\(id).places", "agent.call.places", value: .text(places)))
        }
        for (place, result) in (results ?? []).enumerated() {
            switch result {
            case .text(let text): nodes.append(Self.part("\(id).result.\(place)", "agent.call.result", text))
            case .change(let path, let lines, let added, let removed):
                let counts: [String: Words.Arg] = ["added": .count(added), "removed": .count(removed)]
                var node = Self.part(
                    "\(id).change.\(place)", .key("agent.call.change", ["path": .said(path.withControlsShown)]), lines)
                node.detail = Words(sentences: [.key("agent.call.lines", counts), lines.omittedWords])
                node.facts.isDifference = true
                nodes.append(node)
            case .difference: break
            case .other(let name):
                nodes.append(
                    SemanticNode(.text, "\(id).other.\(place)", .key("agent.call.other", ["name": .said(name)])))
            }
        }
        if results ?? [] == [], let output { nodes.append(Self.part("\(id).output", "agent.call.result", output)) }
        return nodes
    }

    private static func part(_ id: String, _ label: Words, _ text: CutText) -> SemanticNode {
        SemanticNode(.text, id, label, value: .text(text.text.withControlsShown), detail: text.omittedWords)
    }
}

extension String {
    /// With the characters that nobody sees, or that change the order of the text around them, as their numbers: what a person allows is what
    /// they read.
    package var withControlsShown: String { showing(\.isHidden) }

    /// The same for what stands in one line: its ends of lines and its tabs are seen, too.
    var lineWithControlsShown: String {
        withControlsShown.replacing("\n", with: "\u{240A}").replacing("\t", with: "\u{2409}")
    }

    /// The same for what people write to each other, where scripts and emoji need joiners.
    var proseWithControlsShown: String { showing { $0.isHidden && !$0.joins } }

    private func showing(_ isHidden: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isHidden) else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if isHidden(scalar) {
                shown += "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

extension Unicode.Scalar {
    /// Whether it says how its neighbours look together.
    fileprivate var joins: Bool { 0x200C...0x200D ~= value || 0xFE0E...0xFE0F ~= value }

    fileprivate var isHidden: Bool {
        switch value {
        case 0x9, 0xA: false
        case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F,
            0x200B...0x200F,
            0x2028...0x202E, 0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }
}
