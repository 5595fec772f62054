/// What a person does with agents.
package enum AgentAction: Sendable, Hashable, Codable {
    /// Adds a program that speaks the Agent Client Protocol. Nothing is started yet.
    case addAgent(name: String, command: [String], sandbox: AgentSandbox? = nil, variables: SecretRef? = nil)
    /// The same, when the person has said so on the desktop: a page in a browser starts no program by itself.
    case proposeAgent(name: String, command: [String], sandbox: AgentSandbox? = nil)
    /// Adds a server of the chat completions API. `key` is a secret that was kept for it; it is forgotten with the agent, and if the agent is
    /// refused.
    case addModel(name: String, url: String, model: String?, key: SecretRef?)
    /// Adds an agent behind a jcode gateway that let this device in. `token` is a secret that was kept for it, as above. Without a `fingerprint` the
    /// authorities of the system decide, or nobody does.
    case addGateway(name: String, url: String, fingerprint: String?, token: SecretRef)
    /// Lets this device in to a gateway, and adds the agent behind it. `gateway` is the address that the gateway shows (`jcode://pair?…`), or `HOST` or
    /// `HOST:PORT` with the six digits as `code`. With `plain` code and token may travel without TLS to another machine.
    case pairAgent(name: String, gateway: String, code: String?, plain: Bool? = nil)
    case renameAgent(agent: AgentID, name: String)
    case removeAgent(agent: AgentID)
    /// Lets a member of the circle use an agent. A program works in `folder`, an absolute path. With `read_only` every change is rejected; with
    /// `owner_decides` only this person answers what the agent asks. Saying it again changes that.
    case shareAgent(agent: AgentID, room: RoomID, folder: String?, readOnly: Bool, ownerDecides: Bool)
    /// The same, when the person has said so on the desktop: nothing that got into a page lets others use this computer.
    case proposeShare(agent: AgentID, room: RoomID, folder: String?, readOnly: Bool, ownerDecides: Bool)
    /// What stands in the form for sharing an agent. What is nil stays.
    case editSharingForm(agent: AgentID, readOnly: Bool? = nil, ownerDecides: Bool? = nil)
    /// Ends that, for one member or for all. Sessions of theirs end.
    case unshareAgent(agent: AgentID, room: RoomID?)
    /// What stands in the form for another agent, and for the next session its folder, and whether it is offered tools. What is nil stays.
    case editAgentForm(
        name: String?, command: String?, url: String?, model: String?, key: SecretRef?, folder: String?,
        tools: Bool? = nil)
    /// Whether the program in the form is to be confined to its folder, and whether it reaches the network then. What is nil stays.
    case editAgentWall(sandbox: Bool? = nil, network: Bool? = nil)
    /// What stands in the form for a gateway. What is nil stays.
    case editPairingForm(gateway: String? = nil, code: String? = nil, plain: Bool? = nil)
    /// Lets a device in no more that `alcove agent serve` let in: what it is connected to ends at once.
    case revokeDevice(device: String)
    /// Reads anew which devices are let in.
    case retryDevices

    /// Begins a session. A program works in `folder`, an absolute path; a model server needs none. The agent is started with the first prompt.
    /// With `tools` it is offered notes, rooms and apps, as far as they are granted to it.
    case newAgentSession(agent: AgentID, folder: String?, tools: Bool? = nil)
    /// Goes on with a session that the agent has already, by the agent's name for it. With the title that the agent says.
    case takeUpAgentThread(agent: AgentID, thread: String, folder: String?, title: String?)
    /// Asks the agent anew which sessions it has.
    case retryAgentThreads
    /// Reads again what would be sent to be summarised.
    case retrySummary
    /// Chooses the model that is to summarise what the view shows.
    case chooseSummaryModel(agent: AgentID)
    /// Sends what the view shows to a model, in a new session. `of` names what the person saw.
    case sendSummary(agent: AgentID, of: EffectID)
    case renameAgentSession(session: AgentSessionID, title: String)
    /// Ends the agent of a session. What was said stays.
    case closeAgentSession(session: AgentSessionID)
    case removeAgentSession(session: AgentSessionID)
    /// Starts the agent of a session before anything is asked, so that what it offers can be chosen. If that fails, the first prompt tries it
    /// again, and says why.
    case startAgent(session: AgentSessionID)

    /// An agent has used something of Alcove's (`alcove mcp`), or was not allowed to.
    case noteToolUse(session: AgentSessionID, tool: String, isAllowed: Bool)

    /// What became of a question that was answered at a gateway in front of an agent, and not in a session of the core. It belongs into the log.
    case noteDecision(agent: AgentID, session: AgentSessionID, folder: String?, decision: AgentDecision)
    case setPrompt(session: AgentSessionID, text: String)
    /// Asks at once, or when the turn is over. Of the pictures beside what is written, `pictures` go along; `nil`: all do.
    case askAgent(session: AgentSessionID, text: String, pictures: [AgentPictureID]? = nil)
    /// Puts a picture beside what is written: it goes along with the next prompt. `handle` is what the host knows its file by.
    case attachToPrompt(session: AgentSessionID, name: String, bytes: Int64, handle: String)
    case detachFromPrompt(session: AgentSessionID, picture: AgentPictureID)
    case withdrawPrompt(session: AgentSessionID, prompt: Int)
    /// Asks what waits because the turn before it did not end as it should.
    case askQueued(session: AgentSessionID, prompt: Int)
    /// Says what waits in the middle of the turn, to an agent that takes that.
    case interjectPrompt(session: AgentSessionID, prompt: Int)
    /// Takes that back, as long as the agent has not read it: it waits for the end of the turn again.
    case takeBackPrompt(session: AgentSessionID, prompt: Int)
    /// Lets the tool that runs go on in the background.
    case sendToolToBackground(session: AgentSessionID)
    case stopAgent(session: AgentSessionID)

    /// Answers a question; `of` names what the person saw of it.
    case answerAgent(session: AgentSessionID, approval: Int, of: String, choice: AgentChoice)
    /// Gives what a tool wants to be given, a password for example. `secret` is held by the host for this alone; `of` names what the person saw.
    case giveAgent(session: AgentSessionID, approval: Int, of: String, secret: SecretRef)
    /// Chooses among what the agent offers.
    case chooseForAgent(session: AgentSessionID, kind: AgentChooser.Kind, option: String)
    case setAgentPolicy(session: AgentSessionID, kind: AgentPolicies.Kind, policy: AgentPolicy)
}
