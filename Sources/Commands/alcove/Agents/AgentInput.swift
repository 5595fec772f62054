import AppCore
import Foundation

/// What a person types into a conversation with an agent: something to ask, or a command.
enum AgentInput: Equatable {
    case ask(String)
    /// An answer to a request, by its number; nil: the only one that is open.
    case choose(AgentChoice, request: Int?)
    /// Gives a tool what it wants in the next line, by the number of the request; nil: the only one.
    case give(request: Int?)
    /// Puts a picture beside the next question; without a path, leaves all out.
    case picture(String?)
    case stop
    /// Asks what is held, or withdraws it.
    case held(isAsked: Bool)
    /// Says what waits in the middle of the turn, or takes that back.
    case interject(isTakenBack: Bool)
    /// Lets the tool that runs go on in the background.
    case background
    /// Chooses something that the agent offers; nil: shows what it offers.
    case set(AgentChooser.Kind, String?)
    /// What happens with requests of this kind without asking.
    case policy(AgentPolicies.Kind, AgentPolicy)
    /// Shows what is set for each kind.
    case policies
    case thoughts
    case help
    case quit
    case nothing
    /// Could not be understood; the text says what would be.
    case mistaken(String)
    /// Cannot be said; the text says why.
    case unsayable(String)

    static let manual: TerminalText = """
        Write a line and press Enter to ask it; while the agent is at work, it waits for the end of the turn.
          /allow N       let the agent do what request N shows, once
          /always N      and the very same again, for as long as this session lasts
          /lasting N     for agents that offer nothing less: what they do not ask about any more is up to them
          /reject [N]    do not let it
          /give N        give a tool what it wants, in the next line, which is not shown
          /image [FILE]  add a picture to the next question (PNG, JPEG, GIF, WebP); without FILE, leave all out
          /stop          stop the turn, like Control-C
          /ask, /drop    ask what is held after a turn that did not end as it should, or withdraw it
          /now, /later   say what waits in the middle of the turn, where the agent takes that; or take it back
          /background    let the tool that runs go on in the background
          /mode [NAME]   how the agent works: what there is, or another one
          /model [NAME]  the model that it asks
          /policy        what it may read, edit, execute or fetch without asking
          /policy KIND ask|allow|reject   sets that, also for later sessions in this folder
          /thoughts      what the agent thought last
          /quit          leave; the session stays, and a turn that is under way goes on
          //text         ask something that begins with a slash
        """

    init(_ typed: TypedLine) {
        switch typed {
        case .line(let line): self.init(line)
        case .unsayable(let reason): self = .unsayable(reason)
        }
    }

    init(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespaces)
        if text.allSatisfy(\.isWhitespace) {
            self = .nothing
        } else if text.hasPrefix("//"), !text.contains("\n") {
            self = .ask(String(text.dropFirst()))
        } else if text.hasPrefix("/"), !text.contains("\n") {
            let words = text.split(separator: " ", maxSplits: 1).map(String.init)
            self = Self.command(words[0], words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : "")
        } else {
            self = .ask(line)
        }
    }

    private static func command(_ name: String, _ rest: String) -> AgentInput {
        switch name {
        // A request is named by its number, which nobody can type before it was shown.
        case "/allow": choice(.once, name, rest)
        case "/always": choice(.always, name, rest)
        case "/lasting": choice(.lasting, name, rest)
        case "/reject": rest.isEmpty ? .choose(.reject, request: nil) : choice(.reject, name, rest)
        case "/give": rest.isEmpty ? .give(request: nil) : Int(rest).map { .give(request: $0) } ?? .mistaken("/give N")
        case "/image": .picture(rest.isEmpty ? nil : rest)
        case "/stop": .stop
        case "/ask": .held(isAsked: true)
        case "/drop": .held(isAsked: false)
        case "/now": .interject(isTakenBack: false)
        case "/later": .interject(isTakenBack: true)
        case "/background": .background
        case "/mode": .set(.mode, rest.isEmpty ? nil : rest)
        case "/model": .set(.model, rest.isEmpty ? nil : rest)
        case "/policy": policy(rest)
        case "/thoughts": .thoughts
        case "/help": .help
        case "/quit": .quit
        default: .mistaken("there is no \(name); /help lists what there is")
        }
    }

    private static func policy(_ rest: String) -> AgentInput {
        let words = rest.split(separator: " ").map(String.init)
        if words.isEmpty { return .policies }
        guard words.count == 2, let kind = AgentPolicies.Kind(rawValue: words[0]),
            let policy = AgentPolicy(rawValue: words[1])
        else { return .mistaken("/policy read|edit|execute|fetch ask|allow|reject") }
        return .policy(kind, policy)
    }

    private static func choice(_ choice: AgentChoice, _ name: String, _ rest: String) -> AgentInput {
        guard let number = Int(rest), number > 0 else {
            return .mistaken("\(name) N, where N is the number of the request")
        }
        return .choose(choice, request: number)
    }
}
