import AgentProtocols
import Agents
import AppCore
import Foundation
import Host

/// Where the owner of a machine sees what happens at its gateway, and answers what agents want to be allowed.
actor GatewayConsole {
    private let server: GatewayServer
    private let place: GatewayPlace
    private let agent: String
    private let isJSON: Bool
    private let log: GatewayLog
    /// What is allowed or rejected without asking.
    private var policies: AgentPolicies
    /// What the owner allowed for as long as a session lasts, by the session: a request of the same substance is allowed again. A policy that rejects
    /// goes before.
    private var allowed: [String: Set<String>] = [:]
    /// Requests that wait, by their numbers.
    private var open: [Int: (session: String, id: AgentPermission.ID, call: AgentCall, choices: [AgentChoice])] = [:]
    /// Hears what the gateway reports, to its end: what agents were allowed last belongs into the log, too.
    private var listening: Task<Void, Never>?
    /// Until standard input ends.
    private var isSomebodyThere = true

    static let manual: TerminalText = """
        Commands:
          /code          make a code that lets another device in; the one before does not count any more
          /allow N       let the agent do what request N shows, once
          /always N      and the very same again, for as long as its session lasts
          /lasting N     for agents that offer nothing less: what they do not ask about any more is up to them
          /reject [N]    do not let it
          /policy        what it may read, edit, execute or fetch without asking
          /policy KIND ask|allow|reject   sets that, until the gateway ends
          /quit          end the gateway and its sessions
        """

    init(
        _ server: GatewayServer, place: GatewayPlace, agent: String, log: GatewayLog, policies: AgentPolicies,
        isJSON: Bool
    ) {
        (self.server, self.place, self.agent, self.log, self.isJSON) = (server, place, agent, log, isJSON)
        self.policies = policies
    }

    /// Runs until the person ends it, or a signal comes. The end of standard input only means that nobody can be asked.
    func run(until end: Signals) async {
        say(
            "serves \(agent) at \(place.url)\(place.fingerprint.map { "; its key is \($0)" } ?? ", without TLS")  (end with Control-C; /help)",
            "listening",
            ["url": .string(place.url), "fingerprint": place.fingerprint.map { .string($0.text) } ?? .null])
        showCode()
        await log.complain { [weak self] text in await self?.complain(text) }
        listening = Task { for await report in server.reports { await take(report) } }
        await withTaskGroup { group in
            group.addTask { await end.wait() }
            group.addTask {
                // Who quits ends it; after the end of the input it goes on.
                if await !self.read() { await end.wait() }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// After the gateway has stopped: hears its last reports, and waits for the log.
    func finish() async {
        await listening?.value
        await log.finish()
    }

    private func say(_ text: TerminalText, _ type: String, _ members: [String: JSONValue] = [:]) {
        guard isJSON else { return Terminal.print(text) }
        var members = members
        members["type"] = .string(type)
        try? Terminal.print(json: JSONValue.object(members))
    }

    private func showCode() {
        let code = server.issueCode()
        let address = place.invitation(code).text
        if !isJSON, Terminal.isInteractive {
            let environment = ProcessInfo.processInfo.environment
            if let drawn = DrawnCode.of(address, columns: Terminal.columns(), environment: environment) {
                Terminal.print(drawn)
            }
        }
        let until = Int64(Date().timeIntervalSince1970 * 1000) + 300_000
        say(
            "code \(code.digits), for one device, until \(WrittenTime.clock(until)): alcove agent pair '\(address)'",
            "code", ["code": .string(code.digits), "uri": .string(address)])
    }

    // MARK: The gateway

    private func take(_ report: GatewayReport) async {
        switch report {
        case .paired(let name):
            say("* \(name) was let in. /code makes a code for another device.", "paired", ["device": .string(name)])
        case .refusedCode: say("! A wrong code was shown, or none counts now. /code makes one.", "refused_code")
        case .connected(let name): say("* \(name) is connected", "connected", ["device": .string(name)])
        case .disconnected(let name): say("* \(name) is gone", "disconnected", ["device": .string(name)])
        case .asks(let session, let request): await asked(session, request)
        case .settled(let session, let request, let outcome):
            let number = request.id.number
            open[number] = nil
            say("* Request \(number) is gone; nothing was allowed.", "gone", ["request": .integer(Int64(number))])
            await log.write(AgentVerdict(outcome), AgentCall(request.call).fitted, of: session)
        case .ended(let session):
            let left = open.filter { $0.value.session == session }
            for number in left.keys { open[number] = nil }
            allowed[session] = nil
            say("* A session is over", "session_ended", ["session": .string(session)])
            for known in left.values { await log.write(.gone, known.call, of: session) }
        }
    }

    private func asked(_ session: String, _ request: ServedRequest) async {
        // A link in the folder may lead out of it: what is asked is then about the place at its end.
        let written = AgentCall(request.call)
        let named = AgentPlaces(folder: log.folder).named(written)
        let call = named.fitted
        // What is not shown as a whole is allowed once at most, and so is what a link leads to: it may lead elsewhere the next time.
        let choices = request.choices.compactMap { AgentChoice($0) }.filter {
            $0 != .always || call.isWhole && named == written
        }
        open[request.id.number] = (session, request.id, call, choices)
        let verdict = verdict(on: call, choices, of: session)
        say(
            call.text(asked: request.id.number, choices: isSomebodyThere && verdict == nil ? choices : nil), "request",
            [
                "request": .integer(Int64(request.id.number)), "title": call.title.map { .string($0) } ?? .null,
                "answers": .array((verdict == nil ? choices : []).map { .string($0.rawValue) }),
            ])
        if let verdict {
            await answer(request.id.number, verdict.isAllowed ? .once : .reject, because: verdict)
        } else if !isSomebodyThere {
            await answer(request.id.number, .reject)
        }
    }

    /// What is decided without the owner; nil if they are to be asked.
    private func verdict(on call: AgentCall, _ choices: [AgentChoice], of session: String) -> AgentVerdict? {
        let policy = policies.policy(for: call, in: log.folder)
        if policy == .reject { return .rejectedByPolicy }
        if choices.contains(.always), allowed[session]?.contains(call.substance) == true { return .before }
        // Nothing less than "once" is allowed without asking, also where the agent offers no such thing.
        return policy == .allow && choices.contains(.once) ? .allowedByPolicy : nil
    }

    private func answer(_ number: Int, _ choice: AgentChoice, because rule: AgentVerdict? = nil) async {
        guard let known = open[number] else { return complain("request \(number) is gone, or there was none") }
        guard known.choices.contains(choice), let given = ServedChoice(choice) else {
            return complain("request \(number) does not take this answer")
        }
        open[number] = nil
        guard await server.answer(session: known.session, known.id, given) else {
            return complain("request \(number) is gone; nothing was allowed")
        }
        if choice == .always, allowed[known.session, default: []].count < Self.remembered {
            allowed[known.session, default: []].insert(known.call.substance)
        }
        await log.write(rule ?? AgentVerdict(choice), known.call, of: known.session)
        let members: [String: JSONValue] = ["request": .integer(Int64(number))]
        let isAllowed = choice != .reject
        switch rule {
        case .before: say("* Request \(number): the same as before was allowed.", "allowed_before", members)
        case let rule?:
            say("* Request \(number): \(isAllowed ? "allowed" : "rejected"), as /policy says.", rule.rawValue, members)
        case nil:
            let word = isAllowed ? "allowed" : "rejected"
            say(.line("* Request \(number): \(word)."), word, members)
        }
    }

    /// Things that are allowed for as long as a session lasts.
    private static let remembered = 256

    private func set(_ kind: AgentPolicies.Kind, _ policy: AgentPolicy) {
        policies[kind] = policy
        say(
            "\(kind.rawValue): \(policy.rawValue)", "policy",
            ["kind": .string(kind.rawValue), "policy": .string(policy.rawValue)])
    }

    private func complain(_ text: String) { say("! \(text)", "problem", ["text": .string(text)]) }

    // MARK: The person

    /// - Returns: whether the person wants to end it.
    private func read() async -> Bool {
        for await typed in TypedLines.stream() {
            if case .line(let line) = typed, line.trimmingCharacters(in: .whitespaces) == "/code" {
                showCode()
                continue
            }
            switch AgentInput(typed) {
            case .quit: return true
            case .help: say(Self.manual, "note")
            case .policy(let kind, let policy): set(kind, policy)
            case .policies: say(policies.text, "note")
            case .choose(let choice, let number?): await answer(number, choice)
            case .choose(let choice, nil):
                guard open.count == 1, let number = open.keys.first else { complain("say which: /reject N"); continue }
                await answer(number, choice)
            case .nothing: break
            case .mistaken(let hint): complain(hint)
            default: complain("nothing is asked here; /help lists what can be typed")
            }
        }
        guard !Task.isCancelled else { return false }
        isSomebodyThere = false
        for number in open.keys.sorted() { await answer(number, .reject) }
        return false
    }
}

extension AgentVerdict {
    fileprivate init(_ outcome: ServedOutcome) {
        self =
            switch outcome {
            case .gone: .gone
            case .expired: .expired
            case .changed: .changed
            }
    }
}

extension AgentChoice {
    fileprivate init?(_ choice: ServedChoice) { self.init(rawValue: choice.rawValue) }
}

extension ServedChoice {
    fileprivate init?(_ choice: AgentChoice) { self.init(rawValue: choice.rawValue) }
}
