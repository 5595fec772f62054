internal import AppPacks
internal import Components
internal import Wire

extension AppPlatform: AppControl {
    /// Does what another process of the person, or this one, asks for.
    package func ask(_ request: AppControlRequest) async throws(AppFailure) -> AppControlReply {
        switch request {
        case .run(let app, let component, let command, let parameters):
            let instance = try await run(
                domain(app), component: component.map(entryPoint),
                command: command.map { StartCommand($0, parameters.map { .string($0) }) })
            return .started(instance: instance.id, entrypoint: instance.entrypoint)
        case .startup(let app):
            return .startup(await startup(try chosen(app)))
        case .follow(let id, let from):
            guard let transcript = instances[id]?.transcript ?? ended[id] else {
                throw AppFailure(.unknownComponent, "this component ended long ago")
            }
            let (lines, next, end) = await transcript.read(from: from)
            return .printed(lines: lines, next: next, end: end)
        case .entrance(let id): return .entrance(address: try entrance(to: id))
        case .stop(let app, nil):
            try await stopEverything(of: domain(app))
            return .done
        case .stop(let app, let id?):
            if let instance = instances[id], instance.app.domain == (try domain(app)) {
                await stop([instance], because: .request)
            }
            return .done
        case .grantsChanged(let app):
            try grantsChanged(of: domain(app))
            return .done
        case .packsChanged(let app, let reason):
            let domain = try domain(app)
            updates[domain] = nil
            try await whileStopped(domain, because: reason ?? .update) { [self] in await closeStorages(of: domain) }
            fan.tell(.packsChanged)
            return .done
        case .status:
            return .status(running: running)
        }
    }

    /// Ends all components of an app, and its file operations that are under way.
    func stopEverything(of domain: AppDomain) async throws(AppFailure) {
        try await whileStopped(domain, because: .request) { [self] in await closeStorages(openedFor: domain) }
    }

    private func domain(_ name: String) throws(AppFailure) -> AppDomain {
        guard let domain = AppDomain(name) else { throw AppFailure(.unknownApp, "\(name) is no app's domain") }
        return domain
    }

    private func entryPoint(_ text: String) throws(AppFailure) -> PackPath {
        guard let path = PackPath(text) else {
            throw AppFailure(.unknownComponent, "\(text) is no component: it is a path in the pack that begins with /")
        }
        return path
    }

    /// The app that is meant, or all of them.
    private func chosen(_ app: String?) throws(AppFailure) -> [AppDomain] {
        if let app { return [try domain(app)] }
        do {
            return try library.list().apps.map(\.domain)
        } catch {
            throw AppFailure(error)
        }
    }
}
