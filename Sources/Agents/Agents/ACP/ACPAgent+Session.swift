internal import AgentProtocols
internal import Errors
internal import Wire

// The session: begun or gone on with, and what can be chosen in it.

extension ACPAgent {
    /// How something is chosen.
    enum Way: Sendable {
        case mode
        case model
        /// An option of the session by this id.
        case option(String)
    }

    /// Begins a session, or goes on with the one that it is to go on with, if the agent can.
    func openSession(_ capabilities: JSONObject) async throws(AgentError) {
        let place: JSONObject = ["cwd": .string(program.folder), "mcpServers": .array(tools.map(\.json))]
        let way = wayOn(capabilities)
        var goesOn = false
        var answer: JSONObject = [:]
        if let thread, let way {
            session = thread
            retelling = AgentRetelling()
            var known = place
            known.append("sessionId", .string(thread))
            do throws(AgentError) {
                answer = try await ask(way, known)
                goesOn = true
            } catch {
                // It does not know the session any more.
                guard error.code == .refused else { throw error }
                session = nil
            }
        }
        let retold = retelling?.parts ?? []
        retelling = nil
        if !goesOn {
            answer = try await ask(.sessionNew, place)
        }
        if way != nil || thread != nil { events.add(.opened(thread: way == nil ? nil : session, goesOn: goesOn)) }
        if goesOn, !retold.isEmpty { await events.send(.retold(retold)) }
        take(settings: answer)
    }

    /// How the agent goes on with a session: better without telling all of it again, unless nobody knows what it did last.
    func wayOn(_ capabilities: JSONObject) -> ACPMethod? {
        let loads = capabilities["loadSession"] == .bool(true)
        let resumes = capabilities["sessionCapabilities"]?.object?["resume"]?.object != nil
        return resumes && !(loads && retells) ? .sessionResume : loads ? .sessionLoad : nil
    }

    // MARK: - What can be chosen

    /// Takes what an answer about a session says of it. Options of the session stand for modes and models where both are there.
    private func take(settings answer: JSONObject) {
        if let modes = answer["modes"]?.object {
            let options = modes.array("availableModes").compactMap(\.object).compactMap { $0.option("id") }
            tell(AgentSetting(kind: .mode, current: modes.string("currentModeId") ?? "", options: options), .mode)
        }
        if let models = answer["models"]?.object {
            let options = models.array("availableModels").compactMap(\.object).compactMap { $0.option("modelId") }
            tell(AgentSetting(kind: .model, current: models.string("currentModelId") ?? "", options: options), .model)
        }
        take(options: answer.array("configOptions").compactMap(\.object))
    }

    /// Takes the options of the session that are about what is shown here.
    func take(options all: [JSONObject]) {
        let kinds: [String: AgentSetting.Kind] = ["mode": .mode, "model": .model]
        for object in all {
            guard let kind = object.string("category").flatMap({ kinds[$0] }), let id = object.string("id"),
                object.string("type") == "select"
            else { continue }
            // They may stand in groups.
            let listed = object.array("options").compactMap(\.object).flatMap { entry in
                entry.has("options") ? entry.array("options").compactMap(\.object) : [entry]
            }
            tell(
                AgentSetting(
                    kind: kind, current: object.string("currentValue") ?? "",
                    options: listed.compactMap { $0.option("value") }), .option(id))
        }
    }

    private func tell(_ setting: AgentSetting, _ way: Way) {
        guard !setting.options.isEmpty else { return }
        ways[setting.kind] = way
        events.add(.setting(setting))
    }

    package func choose(_ kind: AgentSetting.Kind, _ option: String) async throws(AgentError) {
        guard let session, let way = ways[kind] else {
            throw AgentError(.gone, "\(program.name) offers nothing of this kind to choose")
        }
        let here: JSONValue = .string(session)
        switch way {
        case .mode: _ = try await ask(.sessionSetMode, ["sessionId": here, "modeId": .string(option)])
        case .model: _ = try await ask(.sessionSetModel, ["sessionId": here, "modelId": .string(option)])
        case .option(let id):
            let answer = try await ask(
                .sessionSetConfigOption, ["sessionId": here, "configId": .string(id), "value": .string(option)])
            take(options: answer.array("configOptions").compactMap(\.object))
        }
        events.add(.chosen(kind, option))
    }
}

extension JSONObject {
    /// One thing to choose.
    /// - Parameter id: the member that is its id.
    fileprivate func option(_ id: String) -> AgentSetting.Option? {
        string(id).map { AgentSetting.Option(id: $0, name: string("name") ?? $0) }
    }
}
