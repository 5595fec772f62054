package import Wire

/// The methods of the Agent Client Protocol, version 1, by who calls them. Others may come, and are kept as they are.
package enum ACPMethod: String, Sendable, CaseIterable {
    // The client asks the agent.
    case initialize, authenticate, logout
    case sessionNew = "session/new"
    case sessionLoad = "session/load"
    case sessionResume = "session/resume"
    case sessionList = "session/list"
    case sessionClose = "session/close"
    case sessionDelete = "session/delete"
    case sessionSetMode = "session/set_mode"
    case sessionSetConfigOption = "session/set_config_option"
    /// Not of version 1: agents take it that say which models they have.
    case sessionSetModel = "session/set_model"
    case sessionPrompt = "session/prompt"
    case sessionCancel = "session/cancel"
    // The agent asks or tells the client.
    case sessionUpdate = "session/update"
    case sessionRequestPermission = "session/request_permission"
    case readTextFile = "fs/read_text_file"
    case writeTextFile = "fs/write_text_file"
    case terminalCreate = "terminal/create"
    case terminalOutput = "terminal/output"
    case terminalWaitForExit = "terminal/wait_for_exit"
    case terminalKill = "terminal/kill"
    case terminalRelease = "terminal/release"
    case elicitationCreate = "elicitation/create"
    case elicitationComplete = "elicitation/complete"
    // Either side.
    case cancelRequest = "$/cancel_request"

    /// The version of the protocol that these methods belong to.
    package static let version = 1

    /// Whether nobody answers it.
    package var isNotification: Bool {
        [.sessionCancel, .sessionUpdate, .elicitationComplete, .cancelRequest].contains(self)
    }

    /// The parameters that it must have.
    private var parameters: [String: MemberShape] {
        switch self {
        case .initialize: ["protocolVersion": .number]
        case .authenticate: ["methodId": .string]
        case .logout, .sessionList: [:]
        case .sessionNew: ["cwd": .string, "mcpServers": .array]
        case .sessionLoad: ["sessionId": .string, "cwd": .string, "mcpServers": .array]
        case .sessionResume: ["sessionId": .string, "cwd": .string]
        case .sessionClose, .sessionDelete, .sessionCancel: ["sessionId": .string]
        case .sessionSetMode: ["sessionId": .string, "modeId": .string]
        case .sessionSetConfigOption: ["sessionId": .string, "configId": .string, "value": .any]
        case .sessionSetModel: ["sessionId": .string, "modelId": .string]
        case .sessionPrompt: ["sessionId": .string, "prompt": .array]
        case .sessionUpdate: ["sessionId": .string, "update": .object]
        case .sessionRequestPermission: ["sessionId": .string, "toolCall": .object, "options": .array]
        case .readTextFile: ["sessionId": .string, "path": .string]
        case .writeTextFile: ["sessionId": .string, "path": .string, "content": .string]
        case .terminalCreate: ["sessionId": .string, "command": .string]
        case .terminalOutput, .terminalWaitForExit, .terminalKill, .terminalRelease:
            ["sessionId": .string, "terminalId": .string]
        case .elicitationCreate: ["message": .string]
        case .elicitationComplete: ["elicitationId": .string]
        case .cancelRequest: ["requestId": .any]
        }
    }

    /// What its answer must have.
    private var result: [String: MemberShape] {
        switch self {
        case .initialize: ["protocolVersion": .number]
        case .sessionNew: ["sessionId": .string]
        case .sessionList: ["sessions": .array]
        case .sessionPrompt: ["stopReason": .string]
        case .sessionRequestPermission: ["outcome": .object]
        case .readTextFile: ["content": .string]
        case .terminalCreate: ["terminalId": .string]
        case .terminalOutput: ["output": .string]
        case .elicitationCreate: ["action": .string]
        default: [:]
        }
    }

    /// Throws `malformed` unless the parameters are those of the method. Further ones are welcome.
    package func check(parameters object: JSONObject) throws(AgentProtocolError) {
        try MemberShape.check(object, has: parameters, "parameters of \(rawValue)")
    }

    /// Throws `malformed` unless the answer is one to the method. Null stands for an answer without content.
    /// - Returns: its members.
    package func check(result value: JSONValue) throws(AgentProtocolError) -> JSONObject {
        let object = value == .null ? [:] : value.object
        guard let object else { throw AgentProtocolError(.malformed, "the answer to \(rawValue) is no object") }
        try MemberShape.check(object, has: result, "answer to \(rawValue)")
        return object
    }
}
