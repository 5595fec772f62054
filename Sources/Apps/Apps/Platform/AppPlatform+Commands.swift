internal import Components

extension AppPlatform {
    /// A component starts a command of its own app, or of another one.
    func start(_ command: StartCommand, of domain: AppDomain, for id: Instance.ID) async throws(RuntimeException) {
        guard let calling = instances[id], calling.isLive else { throw ServicePipe.exception("connectionClosed") }
        await untilInstalled(domain)
        let app: RunningApp
        do { app = try self.app(domain) } catch { throw ShellCapability.exception("appNotFound") }
        guard let component = app.manifest.component(taking: command.name, on: settings.formFactor),
            let allowed = component.commands[command.name]
        else { throw ShellCapability.exception("cmdNotFound") }
        guard allowed.allows(calling.caller, at: domain) else {
            app.log.deny(
                "\(command.name) is not for \(calling.entryPoint) of \(calling.app.domain)",
                from: component.entryPoint.text)
            throw ShellCapability.exception("callerNotAllowed")
        }
        let permission = Permission(.commands, .named(command.name, app: domain == calling.app.domain ? nil : domain))
        guard calling.permissions.contains(permission.capability, permission.scope) else {
            throw calling.access.deny(permission)
        }
        do {
            _ = try await launch(component, of: app, command: command)
        } catch {
            app.log.write(
                .error, from: component.entryPoint.text, "the command \(command.name) did not start: \(error)")
            throw ShellCapability.exception("cmdNotStarted")
        }
    }
}
