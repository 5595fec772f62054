internal import Components
internal import Wire

/// `w3n.shell`: start commands, files that apps share, links and notifications. Windows and dialogs come with a display.
enum ShellCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject? {
        var functions: [String: ServiceFunction] = [:]
        if subject.requested.contains(.commands) { functions["startAppWithParams"] = startApp(subject) }
        if subject.requested.contains(.resources) { functions["getFSResource"] = resource(subject) }
        if subject.requested.contains(.openURL) { functions["openURL"] = LinkCapability.openURL(subject) }
        if !subject.component.commands.isEmpty {
            let command = subject.command
            functions["getStartedCmd"] = .immediateValues { _, _ in command.map { .json($0.json) } }
            functions["watchStartCmds"] = watchCommands(subject)
        }
        var members: [String: ServiceObject] = [:]
        if subject.requested.contains(.notifications) {
            members["userNotifications"] = NotificationCapability.object(subject)
        }
        return .unlessEmpty(functions: functions, members: members)
    }

    static func exception(_ flag: String) -> RuntimeException { RuntimeException(type: "shell-command", flag: flag) }

    /// `startAppWithParams(domain | null, cmd, ...params)`
    private static func startApp(_ subject: CapabilitySubject) -> ServiceFunction {
        .promiseValues { arguments, _ async throws(RuntimeException) in
            let domain = try domain(arguments.first, subject)
            let command = StartCommand(
                try arguments.argument(1, \.string), arguments.dropFirst(2).map { $0.json ?? .null })
            let isOwn = domain == subject.app.domain
            try subject.access.check(Permission(.commands, .named(command.name, app: isOwn ? nil : domain)))
            try await subject.platform.start(command, of: domain, for: subject.id)
            return nil
        }
    }

    /// The app that an argument names; the caller's own for null.
    static func domain(_ argument: IPCValue?, _ subject: CapabilitySubject) throws(RuntimeException) -> AppDomain {
        guard let name = argument?.string else { return subject.app.domain }
        guard let domain = AppDomain(name) else { throw exception("appNotFound") }
        return domain
    }

    private static func watchCommands(_ subject: CapabilitySubject) -> ServiceFunction {
        .observableValues { _, _, values async throws(RuntimeException) in
            let isFirst = try await subject.commands.watch { command async throws(RuntimeException) in
                try await values.emit(.json(command.json))
            }
            guard isFirst else { throw exception("alreadyWatched") }
        }
    }

    /// `getFSResource(domain | null, name)`
    private static func resource(_ subject: CapabilitySubject) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            let request = try ShellFsResourceProto.GetFSResourceRequestBody(body: call.body)
            let own = subject.app.domain
            guard let domain = request.appDomain.map({ AppDomain($0.value) }) ?? own else {
                throw RuntimeException(type: "fs-resource", flag: "notFound")
            }
            try subject.access.check(
                Permission(.resources, .named(request.resourceName, app: domain == own ? nil : domain)))
            return try await subject.platform.resource(
                request.resourceName, of: domain, for: subject.id, on: call.connection
            ).encoded
        }
    }
}

extension StartCommand {
    /// What an app reads: `{cmd, params}`.
    var json: JSONValue { .object(["cmd": .string(name), "params": .array(parameters)]) }
}
