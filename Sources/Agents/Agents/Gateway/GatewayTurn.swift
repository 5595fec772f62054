internal import AgentProtocols
internal import Errors
internal import Wire

/// A turn over a gateway, as far as it is known.
struct GatewayTurn: Sendable {
    /// How far the prompt is.
    enum Stage: Sendable, Hashable {
        /// It was not sent. It is, as soon as there is a connection.
        case queued
        /// It was sent under this id. Whether it arrived, the next line tells, or the history after a break.
        case sent(UInt64)
        /// The gateway has it.
        case taken(UInt64)
    }

    let prompt: String
    let pictures: [PromptPicture]
    var stage = Stage.queued
    /// What the gateway is asked for in place of a question to its agent.
    var command: GatewayCommand?
    var isCancelled = false
    /// How often the prompt stood in the history before, and how many prompts there were.
    var before = (same: 0, all: 0)
    /// What was shown of the answer, to find where it goes on.
    var shown = ShownAnswer()
    /// Whether text was missed that only the history can tell: until the end of the turn nothing more of it is shown.
    var isHeld = false
    /// What the agent has read in the middle of it, and how much of the answer was shown before the last of that.
    var read: [String] = []
    var injectedAt = 0
    /// What the last message of the model ended with, if that was not what it had to say.
    var lastStop: AgentStop?
    /// How it ends. That is known before it is told: a history comes first.
    var ending: GatewayEnding?
    /// The history that is asked for at the end of a turn that is held.
    var closing: UInt64?

    /// How it has ended if the gateway says no more than that it has.
    var stop: AgentStop { isCancelled ? .cancelled : lastStop ?? .done }

    /// What was shown until now stands before something that the agent read.
    mutating func noteInjection() { injectedAt = shown.end }

    init(_ prompt: AgentPrompt) { (self.prompt, pictures) = (prompt.text, prompt.pictures) }

    /// Whether the gateway has it.
    var isTaken: Bool { if case .taken = stage { true } else { false } }

    /// The id under which it was sent last.
    var id: UInt64? {
        switch stage {
        case .queued: nil
        case .sent(let id), .taken(let id): id
        }
    }
}

/// How a turn over a gateway ends.
struct GatewayEnding: Sendable, Hashable {
    let stop: AgentStop
    /// Why, in the gateway's words. They may hold anything, so they stay out of errors, and are told beside the answer.
    let reason: String

    init(_ stop: AgentStop, reason: String = "") { (self.stop, self.reason) = (stop, reason) }
}

extension AgentStop {
    /// What a message of the model ended with (`message_end`).
    /// - Returns: nil for what is an end like any other, for what the turn goes on behind, and for words that are not known.
    init?(gateway reason: String?) {
        switch reason {
        case "max_tokens": self = .tokenLimit
        case "max_turn_requests": self = .requestLimit
        case "refusal": self = .refused
        default: return nil
        }
    }
}

/// What was shown of an answer: its text without blanks, because a gateway puts the same text together with others.
struct ShownAnswer: Sendable, Hashable {
    /// Bytes that are remembered. Of a longer answer nobody knows where it goes on.
    static let limit = 4 << 20

    private var bytes: [UInt8] = []
    private(set) var isTooLong = false

    mutating func add(_ text: String) {
        guard !isTooLong else { return }
        bytes += text.utf8.lazy.filter { !Self.isBlank($0) }
        if bytes.count > Self.limit { (bytes, isTooLong) = ([], true) }
    }

    /// How much was shown: a place in it.
    var end: Int { bytes.count }

    /// What was shown behind a place does not count.
    mutating func rollBack(to place: Int) { bytes.removeLast(max(bytes.count - place, 0)) }

    /// Whether a text has as much as was shown behind a place, or more. Without blanks.
    func isReached(by text: String, behind place: Int = 0) -> Bool {
        text.utf8.lazy.count { !Self.isBlank($0) } >= bytes.count - place
    }

    /// What of the answer behind a place was not shown yet.
    /// - Returns: nil if the answer does not begin with what was shown, so that nobody knows.
    func rest(of answer: String, behind place: Int = 0) -> String? {
        guard !isTooLong else { return nil }
        var (matched, position) = (place, answer.utf8.startIndex)
        while matched < bytes.count {
            // The history may lag behind.
            guard position < answer.utf8.endIndex else { return "" }
            let byte = answer.utf8[position]
            if !Self.isBlank(byte) {
                guard byte == bytes[matched] else { return nil }
                matched += 1
            }
            position = answer.utf8.index(after: position)
        }
        return String(answer.utf8[position...]) ?? ""
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || 9...13 ~= byte }
}

/// The prompts that stand in the history of a session, by how often each does.
struct KnownPrompts: Sendable, Hashable {
    /// By their hashes, which hold for this process.
    private var counts: [Int: Int] = [:]
    private(set) var all = 0

    init() {}

    init(_ history: GatewayHistory) {
        for message in history.messages where message.role == "user" { add(message.content) }
    }

    mutating func add(_ prompt: String) {
        counts[prompt.hashValue, default: 0] += 1
        all += 1
    }

    func count(of prompt: String) -> Int { counts[prompt.hashValue] ?? 0 }
}
