internal import Wire

/// What a client wants of an agent, as far as it is served here.
package enum ACPRequest: Sendable, Hashable {
    /// A session in a folder of the client's choice. The servers of tools that it names are named only.
    case begin(folder: String, servers: [String])
    /// Goes on with a session; with `tells`, everything that was said in it is told first.
    case goOn(session: String, folder: String, tells: Bool)
    /// The sessions, or those of one folder.
    case list(folder: String?)
    case close(session: String)
    case delete(session: String)
    case prompt(session: String, ACPPrompt)
    /// Chooses a mode or a model.
    case choose(session: String, ACPSetting.Kind, option: String, by: ACPMethod)

    /// Nil for a method that is not served here. Throws `malformed` if the parameters do not fit the method.
    init?(_ method: ACPMethod, _ parameters: JSONObject) throws(AgentProtocolError) {
        try method.check(parameters: parameters)
        let session = parameters.string("sessionId") ?? ""
        switch method {
        case .sessionNew:
            let servers = parameters.array("mcpServers").prefix(ACPServerLimits.servers).map { server in
                (server.object?.string("name") ?? "").beginning(bytes: ACPServerLimits.nameBytes)
            }
            self = .begin(folder: try Self.folder(parameters), servers: servers)
        case .sessionLoad, .sessionResume:
            self = .goOn(session: session, folder: try Self.folder(parameters), tells: method == .sessionLoad)
        case .sessionList:
            guard !parameters.has("cursor") else {
                throw AgentProtocolError(.malformed, "there is no such cursor: all sessions are on the first page")
            }
            self = .list(folder: parameters.has("cwd") ? try Self.folder(parameters) : nil)
        case .sessionClose: self = .close(session: session)
        case .sessionDelete: self = .delete(session: session)
        case .sessionPrompt: self = .prompt(session: session, try ACPPrompt(parameters.array("prompt")))
        case .sessionSetMode:
            self = .choose(session: session, .mode, option: try Self.option(parameters, "modeId"), by: method)
        case .sessionSetModel:
            self = .choose(session: session, .model, option: try Self.option(parameters, "modelId"), by: method)
        case .sessionSetConfigOption:
            guard let kind = parameters.string("configId").flatMap(ACPSetting.Kind.init) else {
                throw AgentProtocolError(.malformed, "there is no such option")
            }
            self = .choose(session: session, kind, option: try Self.option(parameters, "value"), by: method)
        default: return nil
        }
    }

    private static func option(_ parameters: JSONObject, _ name: String) throws(AgentProtocolError) -> String {
        guard let option = parameters.string(name), option.utf8.count <= ACPServerLimits.textBytes else {
            throw AgentProtocolError(.malformed, "there is no such choice")
        }
        return option
    }

    private static func folder(_ parameters: JSONObject) throws(AgentProtocolError) -> String {
        guard let folder = parameters.string("cwd"), folder.hasPrefix("/"),
            folder.utf8.count <= ACPServerLimits.textBytes
        else { throw AgentProtocolError(.malformed, "cwd has to be an absolute path") }
        return folder
    }
}
