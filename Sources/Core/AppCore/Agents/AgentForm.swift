/// What stands in a view's fields about agents.
package struct AgentForm: Sendable, Hashable, Codable {
    package internal(set) var name = ""
    /// A command as a shell would take it.
    package internal(set) var command = ""
    /// Whether the program is confined to its folder, and reaches the network then; `nil` for no.
    package internal(set) var isConfined: Bool?
    package internal(set) var hasNetwork: Bool?
    /// The program about which the person is asked on the desktop.
    package internal(set) var proposal: AgentProposal?
    package internal(set) var url = ""
    package internal(set) var model = ""
    package internal(set) var key: SecretRef?
    /// For an agent behind a gateway; `nil` as long as nothing was written.
    package internal(set) var pairing: PairingForm?
    /// For a member who is to use one; `nil` as long as nothing was changed or asked.
    package internal(set) var sharing: SharingForm?
    /// Where the next session works.
    package internal(set) var folder = ""
    /// Whether it is offered notes, rooms and apps; `nil` for no.
    package internal(set) var tools: Bool?

    /// Whether nothing of another agent is written or asked.
    fileprivate var isEmpty: Bool {
        name.isEmpty && command.isEmpty && url.isEmpty && pairing?.address.gateway.isEmpty ?? true
            && proposal?.effect == nil && pairing?.effect == nil
    }

    /// The words of the command; `nil` while a quotation mark is not closed.
    var words: [String]? { command.shellWords }

    var sandbox: AgentSandbox? { isConfined == true ? AgentSandbox(network: hasNetwork == true) : nil }
}

extension AppState {
    mutating func editAgentForm(
        name: String?, command: String?, url: String?, model: String?, key: SecretRef?, folder: String?, tools: Bool?,
        _ context: inout DispatchContext
    ) {
        var form = actingView(context).agents
        if let name { form.name = name.withoutControls.limited(to: AgentListLimits.nameBytes) }
        if let command { form.command = command.withoutControls.limited(to: AgentListLimits.commandBytes) }
        if let url { form.url = url.withoutControls.limited(to: 2048) }
        if let model { form.model = model.withoutControls.limited(to: AgentListLimits.modelBytes) }
        if let folder { form.folder = folder.withoutControls.limited(to: AgentTalkLimits.folderBytes) }
        if folder != nil { form.sharing?.forgetAdvice() }
        if let tools { form.tools = tools ? true : nil }
        // What was asked about, or how a terminal does it, was for another program.
        if name != nil || command != nil, form.proposal?.effect == nil { form.proposal = nil }
        if let key, key != form.key {
            if let old = form.key { forget([old], &context) }
            form.key = key
        }
        views.update(context.view ?? .main) { $0.agents = form }
    }

    /// An agent was added in this view: what stood in the form about it is gone, and the list shows unless something else is still asked.
    mutating func leaveAgentForm(_ place: Agent.Place, _ name: String, _ context: inout DispatchContext) {
        let id = context.view ?? .main
        views.update(id) { view in
            var form = view.agents
            if form.name.trimmed == name { form.name = "" }
            switch place {
            case .program(let command, _, _):
                if form.words == command { (form.command, form.isConfined, form.hasNetwork) = ("", nil, nil) }
            // The key belongs to the agent now.
            case .modelServer: (form.url, form.model, form.key) = ("", "", nil)
            case .gateway, .member: break
            }
            view.agents = form
        }
        // Who has begun to write about another one goes on.
        guard let view = views[id], view.screen.page == .addAgent, view.agents.isEmpty else { return }
        leaveScreen(of: id, &context)
    }
}

extension String {
    /// The words of a command, divided at blanks, with quotation marks and backslashes as shells have them; nothing else is special.
    var shellWords: [String]? {
        var (words, word): ([String], String?) = ([], nil)
        var quote: Character?
        var isEscaped = false
        for character in self {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        if let word { words.append(word) }
        return words
    }
}
