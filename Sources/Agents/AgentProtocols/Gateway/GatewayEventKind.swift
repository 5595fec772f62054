package import Wire

/// What a jcode gateway tells: the events that a mobile client uses. Others may come, and are kept as they are.
package enum GatewayEventKind: String, Sendable, CaseIterable {
    // Of requests.
    case ack, done, error, pong, state
    // Of the answer.
    case textDelta = "text_delta"
    /// Replaces the text since the last tool.
    case textReplace = "text_replace"
    case reasoningDelta = "reasoning_delta"
    case reasoningDone = "reasoning_done"
    case messageEnd = "message_end"
    /// What was said of this message does not count: it is asked again.
    case retryRollback = "retry_rollback"
    case interrupted
    case providerGuardrail = "provider_guardrail"
    case tokens
    // Of tools.
    case toolStart = "tool_start"
    /// A piece of what the tool that began last is given; it names none.
    case toolInput = "tool_input"
    case toolExec = "tool_exec"
    case toolDone = "tool_done"
    case batchProgress = "batch_progress"
    case stdinRequest = "stdin_request"
    case generatedImage = "generated_image"
    case sidePaneImages = "side_pane_images"
    // Of the session.
    case session
    case sessionCloseRequested = "session_close_requested"
    case sessionRenamed = "session_renamed"
    case history
    case compactedHistory = "compacted_history"
    case compaction
    case compactResult = "compact_result"
    case contextMessageAdded = "context_message_added"
    case softInterruptInjected = "soft_interrupt_injected"
    case memoryInjected = "memory_injected"
    case splitResponse = "split_response"
    // Of the server and its models.
    case connectionType = "connection_type"
    case connectionPhase = "connection_phase"
    case statusDetail = "status_detail"
    case upstreamProvider = "upstream_provider"
    case modelChanged = "model_changed"
    case reasoningEffortChanged = "reasoning_effort_changed"
    case availableModelsUpdated = "available_models_updated"
    case mcpStatus = "mcp_status"
    case notification
    case reloading
    case reloadProgress = "reload_progress"
    case swarmStatus = "swarm_status"
    case swarmPlan = "swarm_plan"
    case swarmPlanProposal = "swarm_plan_proposal"

    /// The members that it must have.
    private var members: [String: MemberShape] {
        switch self {
        case .ack, .done, .pong, .contextMessageAdded: ["id": .count]
        case .error: ["id": .count, "message": .string]
        case .state:
            ["id": .count, "session_id": .string, "message_count": .count, "is_processing": .bool]
        case .textDelta, .textReplace, .reasoningDelta: ["text": .string]
        case .retryRollback: ["attempt": .count, "max": .count]
        case .providerGuardrail: ["message": .string]
        case .tokens: ["input": .count, "output": .count]
        case .toolStart, .toolExec: ["id": .string, "name": .string]
        case .toolInput: ["delta": .string]
        case .toolDone: ["id": .string, "name": .string, "output": .string]
        case .batchProgress: ["progress": .object]
        case .stdinRequest: ["request_id": .string, "prompt": .string, "tool_call_id": .string]
        case .generatedImage: ["id": .string, "path": .string, "output_format": .string]
        case .sidePaneImages: ["session_id": .string, "images": .array]
        case .session: ["session_id": .string]
        case .sessionCloseRequested: ["reason": .string]
        case .sessionRenamed: ["session_id": .string, "display_title": .string]
        case .history: ["id": .count, "session_id": .string, "messages": .array]
        case .compactedHistory:
            [
                "id": .count, "session_id": .string, "messages": .array, "compacted_total": .count,
                "compacted_visible": .count, "compacted_remaining": .count,
            ]
        case .compaction: ["trigger": .string]
        case .compactResult: ["id": .count, "message": .string, "success": .bool]
        case .softInterruptInjected: ["content": .string, "point": .string]
        case .memoryInjected: ["count": .count]
        case .splitResponse: ["id": .count, "new_session_id": .string, "new_session_name": .string]
        case .connectionType: ["connection": .string]
        case .connectionPhase: ["phase": .string]
        case .statusDetail: ["detail": .string]
        case .upstreamProvider: ["provider": .string]
        case .modelChanged: ["id": .count, "model": .string]
        case .reasoningEffortChanged: ["id": .count]
        case .availableModelsUpdated: ["available_models": .array]
        case .mcpStatus: ["servers": .array]
        case .notification: ["from_session": .string, "notification_type": .object, "message": .string]
        case .reloadProgress: ["step": .string, "message": .string]
        case .swarmStatus: ["members": .array]
        case .swarmPlan: ["swarm_id": .string, "version": .count, "items": .array]
        case .swarmPlanProposal:
            [
                "swarm_id": .string, "proposer_session": .string, "items": .array, "summary": .string,
                "proposal_key": .string,
            ]
        case .reasoningDone, .messageEnd, .interrupted, .reloading: [:]
        }
    }

    /// Throws `malformed` unless the object has the members that an event of this kind must have. Further ones are welcome.
    package func check(_ object: JSONObject) throws(AgentProtocolError) {
        try MemberShape.check(object, has: members, "members of \(rawValue)")
    }
}
