/// A part of what an agent tells of its session after it was started anew. All texts are a stranger's.
package enum AgentRetold: Sendable, Hashable, Tagged {
    /// What it was asked. Everything up to the next one is of this turn.
    case asked(text: CutText)
    case said(text: CutText)
    case thought(text: CutText)
    case called(call: AgentCall)
}

/// One turn of a conversation, as one of the two sides knows it.
private struct ToldTurn {
    /// What was asked, without blanks: agents break lines as they like.
    let prompt: [UInt8]
    /// How the answer begins, without blanks.
    let beginning: [UInt8]

    static let beginningBytes = 256

    init(prompt: String, answer: some Sequence<String>) {
        self.prompt = prompt.withoutBlanks
        beginning = Array(answer.lazy.flatMap(\.withoutBlanks).prefix(Self.beginningBytes))
    }

    /// How well two fit together; 0 if they are two.
    func likeness(to other: ToldTurn) -> Int {
        // An agent may put something of its own before what was asked.
        guard prompt == other.prompt || prompt.count >= 16 && other.prompt.hasSuffix(prompt) else { return 0 }
        let isSame = beginning.starts(with: other.beginning) || other.beginning.starts(with: beginning)
        return isSame && beginning.isEmpty == other.beginning.isEmpty ? 5 : 4
    }
}

extension AgentTalk {
    /// What was asked, and what the agent tells of its turn.
    private typealias ToldParts = (prompt: CutText, parts: [AgentRetold])

    /// Numbers that are kept free for what an agent tells of the time in which nobody heard it.
    private static let retoldNumbers = 1000

    /// What the agent tells of earlier turns gets numbers below that of the prompt that follows.
    mutating func makeRoomForRetold() {
        guard session.thread != nil, !items.isEmpty || session.isRetold == false else { return }
        let isAll = session.isRetold == false
        session.next = session.next.clampedSum(isAll ? AgentTalkLimits.items : Self.retoldNumbers)
    }

    /// Adds what the agent did when nobody heard it, behind what is known of it. What is known stays what and where it is; a call that was under way is
    /// told to its end. Told again, it changes nothing.
    /// - Parameter isLost: whether nobody heard the end of the last turn; else it stays what it is.
    /// - Returns: the numbers of items whose records changed.
    mutating func merge(_ parts: [AgentRetold], isLost: Bool, at now: Timestamp) -> [Int] {
        var told: [ToldParts] = []
        for part in parts {
            if case .asked(let prompt) = part {
                told.append((prompt, []))
            } else if !told.isEmpty {
                told[told.count - 1].parts.append(part)
            }
        }
        let past = items.prefix { !session.isInTurn || $0.turn < session.turn }
        let starts = past.indices.filter { items[$0].content.isPrompt }
        let known = starts.enumerated().map { place, start in
            start..<(place + 1 < starts.count ? starts[place + 1] : past.endIndex)
        }
        if session.isRetold == false {
            session.isRetold = true
            // What was asked here and never heard is no turn of the agent's.
            let heard = known.filter { items[$0].contains(where: \.content.isOfAgent) }
            let common = lastCommonTurn(heard, told)
            let before = common.map { max($0.told - $0.known, 0) } ?? told.count
            return takeUp(told[..<before], at: now) + merge(parts, isLost: isLost, at: now)
        }
        guard let (turn, match) = lastCommonTurn(known, told) else { return [] }
        var gap = Gap(after: past.last?.id ?? 0, before: past.endIndex < items.endIndex ? items[past.endIndex].id : nil)
        // The last turn of a session that was taken up may have been under way.
        let mayGrow = isLost || items[known[turn].lowerBound].turn == 0
        var changed = mayGrow ? merge(told[match].parts, into: known[turn], at: now, &gap) : []
        changed += insert(told[(match + 1)...], at: now, &gap)
        return changed + makeRoom()
    }

    /// Puts what was said in a session before it was taken up in front of what was asked here since.
    private mutating func takeUp(_ told: ArraySlice<ToldParts>, at now: Timestamp) -> [Int] {
        var gap = Gap(after: 0, before: items.first?.id)
        return insert(told, at: now, &gap) + makeRoom()
    }

    private mutating func insert(_ told: ArraySlice<ToldParts>, at now: Timestamp, _ gap: inout Gap) -> [Int] {
        var changed: [Int] = []
        for (prompt, parts) in told {
            changed += insert(.prompt(text: prompt.text), at: now, &gap)
            for part in parts { changed += insert(part.content, at: now, &gap) }
        }
        return changed
    }

    /// Numbers for new items between two that are there.
    private struct Gap {
        var after: Int
        let before: Int?
    }

    /// Puts something behind the items of the turns that are over.
    private mutating func insert(
        _ content: AgentItem.Content?, at now: Timestamp, _ gap: inout Gap
    ) -> [Int] {
        guard let content else { return [] }
        let number = gap.before == nil ? session.number() : gap.after.clampedSum(1)
        if let before = gap.before, number >= before {
            session.forgotten += 1
            return []
        }
        gap.after = number
        let isLast = items.last.map { $0.id < number } ?? true
        let place = isLast ? items.endIndex : items.firstIndex { $0.id > number } ?? items.endIndex
        let turn = place > 0 ? items[place - 1].turn : gap.before == nil ? session.turn : 0
        let item = AgentItem(id: number, turn: turn, at: now, changedAt: stamp(now), content: content)
        items.insert(item, at: place)
        bytes += item.bytes
        return [number]
    }

    // MARK: Which turn is which

    /// The last turn that both sides know: most of what is known has to be in what is told, in the same order.
    private func lastCommonTurn(
        _ known: [Range<Int>], _ told: [ToldParts]
    ) -> (known: Int, told: Int)? {
        let most = 200
        let (first, second) = (max(known.count - most, 0), max(told.count - most, 0))
        let ours = known.suffix(most).map { range in
            ToldTurn(
                prompt: items[range.lowerBound].content.promptText, answer: items[range].compactMap(\.content.said))
        }
        let theirs = told.suffix(most).map { turn in
            ToldTurn(prompt: turn.prompt.text, answer: turn.parts.compactMap(\.said))
        }
        guard !ours.isEmpty, !theirs.isEmpty else { return nil }
        var best = Array(repeating: Array(repeating: 0, count: theirs.count + 1), count: ours.count + 1)
        for row in 1...ours.count {
            for column in 1...theirs.count {
                let likeness = ours[row - 1].likeness(to: theirs[column - 1])
                best[row][column] = max(
                    best[row - 1][column], best[row][column - 1],
                    likeness > 0 ? best[row - 1][column - 1] + likeness : 0)
            }
        }
        guard best[ours.count][theirs.count] > 0 else { return nil }
        var (row, column) = (ours.count, theirs.count)
        while row > 0, column > 0 {
            let likeness = ours[row - 1].likeness(to: theirs[column - 1])
            let isPair = likeness > 0 && best[row][column] == best[row - 1][column - 1] + likeness
            // Of two turns that look the same it is the first, unless the beginning is not known here any more.
            if isPair, session.forgotten > 0 || best[row][column - 1] < best[row][column] {
                return (first + row - 1, second + column - 1)
            }
            if best[row][column - 1] == best[row][column] { column -= 1 } else { row -= 1 }
        }
        return nil
    }

    // MARK: What is new in a turn

    private mutating func merge(
        _ parts: [AgentRetold], into range: Range<Int>, at now: Timestamp, _ gap: inout Gap
    ) -> [Int] {
        var answer = ToldText(items[range].compactMap { if case .text(let text) = $0.content { text } else { nil } })
        var thoughts = ToldText(
            items[range].compactMap { if case .thought(let text) = $0.content { text } else { nil } })
        // What goes on may be said at the end of what was said last.
        var growing = range.last { items[$0].content.isOfAgent }.map { items[$0].id }
        var changed: [Int] = []
        for part in parts {
            switch part {
            case .asked: break
            case .said(let text):
                guard let rest = answer.rest(of: text) else { continue }
                changed += grow(growing, rest, isThought: false, at: now, &gap)
                growing = nil
            case .thought(let text):
                guard let rest = thoughts.rest(of: text) else { continue }
                changed += grow(growing, rest, isThought: true, at: now, &gap)
                growing = nil
            case .called(let call):
                let call = call.fitted
                guard let index = items[range].firstIndex(where: { $0.content.call?.id == call.id }) else {
                    if !changedCalls(range).contains(call.id) {
                        changed += insert(.called(call: call), at: now, &gap)
                        growing = nil
                    }
                    continue
                }
                guard let known = items[index].content.call, known.isUnderWay else { continue }
                let merged = known.with(call).fitted
                guard merged != known else { continue }
                bytes -= items[index].bytes
                items[index].content = .called(call: merged)
                items[index].changedAt = stamp(now)
                bytes += items[index].bytes
                changed.append(items[index].id)
            }
        }
        return changed
    }

    /// The calls that were put behind a turn.
    private func changedCalls(_ range: Range<Int>) -> Set<String> {
        Set(items[range.upperBound...].prefix { !$0.content.isPrompt }.compactMap { $0.content.call?.id })
    }

    private mutating func grow(
        _ last: Int?, _ piece: CutText, isThought: Bool, at now: Timestamp, _ gap: inout Gap
    ) -> [Int] {
        if let last, let index = items.firstIndex(where: { $0.id == last }),
            let added = items[index].add(piece, isThought: isThought, at: stamp(now))
        {
            bytes += added
            return [last]
        }
        let text = piece.fitted(to: AgentTalkLimits.textBytes)
        return insert(isThought ? .thought(text: text) : .text(text: text), at: now, &gap)
    }
}

/// Texts of a turn that are known, to find what is new in those that are told.
private struct ToldText {
    private let known: [UInt8]
    /// Whether something in it is left out: then nobody can say what follows.
    private let isCut: Bool
    /// Whether blanks at the end of it are there already.
    private var endsBlank: Bool
    private var matched = 0

    init(_ texts: [CutText]) {
        known = texts.flatMap(\.text.withoutBlanks)
        isCut = texts.contains { $0.omitted != nil }
        endsBlank = texts.last?.text.utf8.last?.isBlank == true
    }

    /// What of a text is not known; nil if all of it is.
    mutating func rest(of text: CutText) -> CutText? {
        let bytes = text.text.utf8
        var (place, position) = (matched, bytes.startIndex)
        while position < bytes.endIndex, place < known.count {
            let byte = bytes[position]
            if !byte.isBlank {
                guard byte == known[place] else { return other(text) }
                place += 1
            }
            position = bytes.index(after: position)
        }
        matched = place
        if endsBlank, place == known.count {
            while position < bytes.endIndex, bytes[position].isBlank { position = bytes.index(after: position) }
            endsBlank = position == bytes.endIndex
        }
        guard bytes[position...].contains(where: { !$0.isBlank }), !isCut else { return nil }
        return CutText(String(text.text[position...]), omitted: text.omitted ?? 0)
    }

    /// A text that does not go on with what is known is new, unless it stands somewhere in it.
    private func other(_ text: CutText) -> CutText? {
        let wanted = text.text.withoutBlanks
        return isCut || known.firstRange(of: wanted) != nil ? nil : text
    }
}

extension AgentRetold {
    fileprivate var said: String? { if case .said(let text) = self { text.text } else { nil } }
    fileprivate var asked: String? { if case .asked(let text) = self { text.text } else { nil } }

    /// As it is kept.
    fileprivate var content: AgentItem.Content? {
        switch self {
        case .asked: nil
        case .said(let text): text.text.isEmpty ? nil : .text(text: text.fitted(to: AgentTalkLimits.textBytes))
        case .thought(let text): text.text.isEmpty ? nil : .thought(text: text.fitted(to: AgentTalkLimits.textBytes))
        case .called(let call): .called(call: call.fitted)
        }
    }
}

extension AgentItem.Content {
    fileprivate var isPrompt: Bool { if case .prompt = self { true } else { false } }
    fileprivate var promptText: String { if case .prompt(let text, _) = self { text } else { "" } }
    fileprivate var said: String? { if case .text(let text) = self { text.text } else { nil } }
    fileprivate var call: AgentCall? { if case .called(let call) = self { call } else { nil } }

    /// Whether the agent said or did it.
    fileprivate var isOfAgent: Bool {
        switch self {
        case .text, .thought, .called: true
        default: false
        }
    }
}

extension String {
    fileprivate var withoutBlanks: [UInt8] { utf8.filter { !$0.isBlank } }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 32 || 9...13 ~= self }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }

    /// Where the other bytes stand first.
    fileprivate func firstRange(of other: [UInt8]) -> Range<Int>? {
        guard !other.isEmpty, other.count <= count else { return other.isEmpty ? 0..<0 : nil }
        return (0...(count - other.count)).first { self[$0..<($0 + other.count)].elementsEqual(other) }.map {
            $0..<($0 + other.count)
        }
    }
}

extension AppState {
    mutating func retold(_ parts: [AgentRetold], _ id: AgentSessionID, _ context: inout DispatchContext) {
        guard let effect = talks[id]?.live.effect, case .startAgentSession(_, _, _, let setup) = pendingEffects[effect]
        else { return }
        if let session = talks[id]?.session, session.isRetold == false, session.title.isEmpty {
            talks[id]?.session.title = parts.lazy.compactMap(\.asked).first?.titleOfSession ?? ""
        }
        let changed = talks[id]?.merge(parts, isLost: setup?.retells == true, at: context.now) ?? []
        for item in changed { context.changed(.agentItem(id, item)) }
        if !changed.isEmpty { context.changed(.agentSession(id)) }
    }
}
