package import Wire

/// What a client asks of a jcode gateway: the requests that a mobile client uses. Others may come, and are kept as they are.
package enum GatewayRequestKind: String, Sendable, CaseIterable {
    /// Must come first, and name a folder of the gateway's machine.
    case subscribe
    /// A prompt. It begins a turn.
    case message
    /// Ends the turn.
    case cancel
    /// A prompt in the middle of a turn.
    case softInterrupt = "soft_interrupt"
    /// Takes back the prompts that were not put in yet.
    case cancelSoftInterrupts = "cancel_soft_interrupts"
    /// The tool that runs goes on in the background.
    case backgroundTool = "background_tool"
    case clear
    case rewind
    case rewindUndo = "rewind_undo"
    case ping
    case state
    case getHistory = "get_history"
    case getModelCatalog = "get_model_catalog"
    case getCompactedHistory = "get_compacted_history"
    case resumeSession = "resume_session"
    case cycleModel = "cycle_model"
    case setModel = "set_model"
    case setRoute = "set_route"
    case setReasoningEffort = "set_reasoning_effort"
    case renameSession = "rename_session"
    case split
    case transfer
    case compact
    /// What a person typed for a tool: perhaps a password.
    case stdinResponse = "stdin_response"

    /// The members that it must have, besides its id.
    private var members: [String: MemberShape] {
        switch self {
        case .message, .softInterrupt: ["content": .string]
        case .rewind: ["message_index": .count]
        case .getCompactedHistory: ["visible_messages": .count]
        case .resumeSession: ["session_id": .string]
        case .setModel: ["model": .string]
        case .setRoute: ["selection": .any]
        case .setReasoningEffort: ["effort": .string]
        case .stdinResponse: ["request_id": .string, "input": .string]
        // The folder is missing in what old clients send. Whether that is an error, the gateway says, not its reader.
        case .subscribe, .cancel, .cancelSoftInterrupts, .backgroundTool, .clear, .rewindUndo, .ping, .state,
            .getHistory, .getModelCatalog, .cycleModel, .renameSession, .split, .transfer, .compact:
            [:]
        }
    }

    /// Throws `malformed` unless the object has the members that a request of this kind must have. Further ones are welcome.
    package func check(_ object: JSONObject) throws(AgentProtocolError) {
        try MemberShape.check(object, has: members, "members of \(rawValue)")
    }
}
