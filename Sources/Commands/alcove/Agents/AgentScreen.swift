import AppCore
import Foundation
import Host

/// Where a conversation with an agent is shown.
enum AgentOutput: Equatable {
    /// A terminal in which a person writes: lines grow while they come.
    case terminal
    /// Lines, when they are whole.
    case lines
    /// The answer alone on standard output, everything else on standard error.
    case answer
    /// One JSON object each.
    case json
    /// Nothing but questions, because the answer is printed as a whole at the end.
    case quiet
}

/// Shows what happens in a conversation with an agent. All texts of the agent are escaped here, and none looks like a line of ours.
struct AgentScreen {
    let name: String
    let output: AgentOutput
    var isSomebodyThere: Bool
    private var lines: AgentLines
    /// Whether the answer was printed up to the middle of a line.
    private var isInLine = false
    /// The name under which the line of the answer that was begun can be replaced.
    private var growing: String?
    private var lineNumber = 0
    /// What the agent thought last.
    private var thoughts = ""
    private var isThinking = false
    /// The whole answer so far, as far as it is kept.
    private(set) var answer = ""

    /// Bytes of the last thoughts, and of an answer that is kept.
    static let kept = 1 << 20

    /// - Parameter isSomebodyThere: whether the person can answer what is asked.
    init(name: String, output: AgentOutput, isSomebodyThere: Bool = true) {
        (self.name, self.output, self.isSomebodyThere) = (name, output, isSomebodyThere)
        // What grows has to fit on the screen.
        lines = AgentLines(limit: output == .terminal ? 1000 : 65_536)
    }

    mutating func show(_ news: AgentNews) {
        keep(news)
        switch output {
        case .json:
            if let line = try? JSON.encode(news.json) { Terminal.print(.json(String(decoding: line, as: UTF8.self))) }
        case .quiet: if news.isQuestion { Terminal.log(text(news) ?? "") }
        case .answer:
            if case .said(let piece) = news { return say(piece) }
            // Whoever asks once knows what was asked, and how it ended is said at the end.
            switch news {
            case .asked, .turnEnded, .lost: return
            default: endLine()
            }
            if let text = text(news), news.isQuestion || news.isLog || Terminal.showsProgress { Terminal.log(text) }
        case .terminal, .lines:
            if case .said(let piece) = news { return say(piece) }
            if case .thought = news, isThinking { return }
            endLine()
            isThinking = news.isThought
            if let text = text(news) { Terminal.print(text) }
        }
    }

    /// Something of ours.
    func tell(_ text: TerminalText) {
        switch output {
        case .terminal, .lines: Terminal.print("* \(text)")
        case .json: try? Terminal.print(json: ["type": "note", "text": text.escaped])
        case .answer, .quiet: Terminal.log("* \(text)")
        }
    }

    /// Something that is wrong with what was typed.
    func complain(_ text: String) {
        switch output {
        case .terminal, .lines: Terminal.print("! \(text)")
        case .json: try? Terminal.print(json: ["type": "problem", "text": text])
        case .answer, .quiet: Terminal.log("! \(text)")
        }
    }

    func showThoughts() {
        tell(thoughts.isEmpty ? "It told no thoughts." : "It thought: \(.text(thoughts, margin: "  "))")
    }

    /// What is to be seen all the time.
    func draw(_ session: AgentFollower) {
        guard output == .terminal else { return }
        Terminal.draw(status: "\(name) · \(session.words)")
    }

    /// Ends a line of the answer that was begun.
    mutating func endLine() {
        isThinking = false
        if isInLine { Terminal.show("\n") }
        isInLine = false
        guard growing != nil || !lines.rest.isEmpty else { return }
        show(line: lines.take())
    }

    private mutating func keep(_ news: AgentNews) {
        switch news {
        case .asked: (answer, thoughts) = ("", "")
        case .said(let piece): Self.add(piece.text, to: &answer)
        case .thought(let piece): Self.add(piece.text, to: &thoughts)
        default: break
        }
    }

    private static func add(_ piece: String, to text: inout String) {
        text += piece.limited(to: max(kept - text.utf8.count, 0))
    }

    // MARK: The answer

    private mutating func say(_ piece: CutText) {
        isThinking = false
        if output == .answer {
            // As it comes, and as it is.
            Terminal.show(.text(piece.text))
            if let last = piece.text.utf8.last { isInLine = last != UInt8(ascii: "\n") }
            return
        }
        for line in lines.add(piece.text) { show(line: line) }
        if output == .terminal, !lines.rest.isEmpty { grow() }
        if let omitted = piece.omitted {
            endLine()
            tell("\(omitted) bytes more of it are left out")
        }
    }

    /// A whole line.
    private mutating func show(line: String) {
        let text = written(line)
        defer { growing = nil }
        if let id = growing, Terminal.replace(id, with: text) { return }
        Terminal.print(text)
    }

    /// A line that is not over.
    private mutating func grow() {
        let text = written(lines.rest)
        if let id = growing {
            if !Terminal.replace(id, with: text) { Terminal.print(text, id: id) }
            return
        }
        lineNumber += 1
        let id = "agent-\(lineNumber)"
        growing = id
        Terminal.print(text, id: id)
    }

    private func written(_ line: String) -> TerminalText {
        "< \(.text(line, margin: "  "))"
    }
}
