package import Wire

/// The methods of the Model Context Protocol up to its revision 2025-11-25, by who calls them. Others may come, and are kept as they are.
package enum MCPMethod: String, Sendable, CaseIterable {
    // The client asks the server.
    case initialize
    case toolsList = "tools/list"
    case toolsCall = "tools/call"
    case resourcesList = "resources/list"
    case resourceTemplatesList = "resources/templates/list"
    case resourcesRead = "resources/read"
    case resourcesSubscribe = "resources/subscribe"
    case resourcesUnsubscribe = "resources/unsubscribe"
    case promptsList = "prompts/list"
    case promptsGet = "prompts/get"
    case complete = "completion/complete"
    case setLevel = "logging/setLevel"
    case initialized = "notifications/initialized"
    case rootsListChanged = "notifications/roots/list_changed"
    // The server asks or tells the client.
    case createMessage = "sampling/createMessage"
    case rootsList = "roots/list"
    case elicit = "elicitation/create"
    case elicitationComplete = "notifications/elicitation/complete"
    case logMessage = "notifications/message"
    case resourceUpdated = "notifications/resources/updated"
    case resourcesListChanged = "notifications/resources/list_changed"
    case toolsListChanged = "notifications/tools/list_changed"
    case promptsListChanged = "notifications/prompts/list_changed"
    // Either side.
    case ping
    case cancelled = "notifications/cancelled"
    case progress = "notifications/progress"
    case tasksGet = "tasks/get"
    case tasksResult = "tasks/result"
    case tasksList = "tasks/list"
    case tasksCancel = "tasks/cancel"
    case tasksStatus = "notifications/tasks/status"

    /// Whether nobody answers it.
    package var isNotification: Bool { rawValue.hasPrefix("notifications/") }

    /// The parameters that it must have.
    private var parameters: [String: MemberShape] {
        switch self {
        case .initialize: ["protocolVersion": .string, "capabilities": .object, "clientInfo": .object]
        case .toolsCall, .promptsGet: ["name": .string]
        case .resourcesRead, .resourcesSubscribe, .resourcesUnsubscribe, .resourceUpdated: ["uri": .string]
        case .complete: ["ref": .object, "argument": .object]
        case .setLevel: ["level": .string]
        case .createMessage: ["messages": .array, "maxTokens": .number]
        case .elicit: ["message": .string]
        case .elicitationComplete: ["elicitationId": .string]
        case .logMessage: ["level": .string, "data": .any]
        // A task that is cancelled needs no request's id.
        case .cancelled: [:]
        case .progress: ["progressToken": .any, "progress": .number]
        case .tasksGet, .tasksResult, .tasksCancel: ["taskId": .string]
        case .tasksStatus: ["taskId": .string, "status": .string]
        case .toolsList, .resourcesList, .resourceTemplatesList, .promptsList, .initialized, .rootsListChanged,
            .rootsList, .resourcesListChanged, .toolsListChanged, .promptsListChanged, .ping, .tasksList:
            [:]
        }
    }

    /// Throws `malformed` unless the parameters are those of the method. Further ones are welcome.
    package func check(parameters object: JSONObject) throws(AgentProtocolError) {
        try MemberShape.check(object, has: parameters, "parameters of \(rawValue)")
    }
}
