import AppCore

/// References in a scenario, which replace ids and times that are unknown before it is played:
///
/// * `$room`, `$message`: the newest room, and the newest message of that room;
/// * `$note`: the note that is being made, else the one on the screen;
/// * `$agent`, `$session`: the newest agent, and the newest session with one; `$approval`, `$of`: its newest question, and what names what is
///   shown of it; `$prompt`: what waits there last;
/// * `$summary`: what names what the screen shows of what would be sent to be summarised;
/// * `$share`: the newest share of an agent with a member of the circle;
/// * `$now`, `$now+5000`: the time, in milliseconds;
/// * `$records`: what is on the disk.
///
/// A string that contains a reference among other text takes its text: `message.$message`.
struct References {
    private let driver: CoreDriver

    init(_ driver: CoreDriver) { self.driver = driver }

    /// The value of a string of a scenario.
    func value(of text: String) throws -> JSONValue {
        guard text.contains("$") else { return .string(text) }
        if text == "$records" {
            let records = driver.records().map { record in
                JSONValue.object(["key": .string(record.key.path), "json": .string(record.json)])
            }
            return .array(records)
        }
        if text == "$summary", let effect = driver.state.views.main.summary?.effect {
            return .integer(Int64(clamping: effect.number))
        }
        if text == "$approval", let approval { return .integer(Int64(approval.id)) }
        if text == "$prompt", let prompt = session?.queue.last { return .integer(Int64(prompt.id)) }
        if text.hasPrefix("$now") {
            let offset = text.dropFirst("$now".count)
            guard let milliseconds = offset.isEmpty ? 0 : Int64(offset) else {
                throw ScenarioStep.Unreadable(explanation: "a time is $now or $now+MILLISECONDS")
            }
            return .integer(driver.clock.now.advanced(byMilliseconds: milliseconds).milliseconds)
        }
        return .string(replaced(in: text))
    }

    private var session: AgentSession? {
        driver.state.talks.inOrder.map(\.session).max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    private var approval: AgentApproval? { session?.approvals.last }

    private var note: NoteID? {
        let made = driver.openEffects.compactMap { effect -> NoteID? in
            if case .createNote(let note, _, _, _) = effect.kind { note } else { nil }
        }
        return made.last ?? driver.state.views.main.note
    }

    /// A text with the ids that it names.
    func replaced(in text: String) -> String {
        guard text.contains("$") else { return text }
        let room = driver.state.rooms.max { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        let ids = [
            ("$room", room?.id.text), ("$message", room?.messages.last?.id.text), ("$note", note?.text),
            ("$agent", driver.state.agents.inOrder.last?.id.text), ("$session", session?.id.text),
            ("$share", driver.state.agents.inOrder.flatMap(\.shares).last?.id.text),
            ("$approval", approval.map { "\($0.id)" }), ("$of", approval?.of),
        ]
        return ids.reduce(text) { text, entry in entry.1.map { text.replacing(entry.0, with: $0) } ?? text }
    }
}
