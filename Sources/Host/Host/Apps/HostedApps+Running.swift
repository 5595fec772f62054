import AppCore
import Apps
import Components
import HostFunctions

/// Starting and ending what apps are made of.
extension HostedApps {
    /// Starts an app, and tells its component under `effect`.
    func start(
        _ app: AppID, component: String?, command: String?, parameters: [String], for effect: EffectID
    ) async throws {
        let request = AppControlRequest.run(
            app: try domain(app).name, component: component, command: command, parameters: parameters)
        guard case .started(let number, let entrypoint) = try await ask(request) else {
            throw Failure(.appsUnavailable, "the process that runs the apps is another version of alcove; end it")
        }
        let runtime = try await runtime()
        let instance = InstanceID(String(number))
        tell(.componentStarted(effect: effect, instance: instance, entrypoint: entrypoint))
        if let end = ended[instance] {
            // The core heard of its end before it knew that it was started.
            tell(.componentChanged(end))
        } else if runtime.platform == nil {
            let started = ListedComponent(id: instance, app: app, entrypoint: entrypoint, state: .starting)
            running[instance] = running[instance] ?? started
            read(started, number, at: runtime.control)
        }
    }

    /// Another process tells anyone who asks what a component says.
    private func read(_ component: ListedComponent, _ number: UInt64, at control: any AppControl) {
        guard readers[component.id] == nil else { return }
        readers[component.id] = Task { [weak self] in
            var next = 0
            while case .printed(let lines, let following, let end)? = try? await control.ask(
                .follow(instance: number, from: next))
            {
                guard let self, !Task.isCancelled else { return }
                for line in lines { tell(.said(line, by: component)) }
                if end != nil { break }
                next = following
            }
            await self?.forgetReader(of: component.id)
        }
    }

    private func forgetReader(of instance: InstanceID) { readers[instance] = nil }

    /// Ends one component of an app, or all, and returns when they are gone.
    func stop(_ app: AppID, _ instance: InstanceID?) async throws {
        let domain = try domain(app).name
        guard let instance else {
            _ = try await ask(.stop(app: domain))
            return
        }
        guard let number = UInt64(instance.text) else { throw Failure(.componentUnknown) }
        _ = try await ask(.stop(app: domain, instance: number))
    }

    /// The address of a window that runs, for one browser.
    func entrance(to instance: String) async throws -> String {
        guard let number = UInt64(instance), case .entrance(let address) = try await ask(.entrance(instance: number))
        else { throw Failure(.componentUnknown) }
        return address
    }

    func open(_ url: String) async throws {
        guard let url = ExternalURL(url) else { throw Failure(.other, "this is no link of the web") }
        do {
            try await configuration.open(url)
        } catch {
            throw Failure(.other, "no program was found that opens links")
        }
    }
}
