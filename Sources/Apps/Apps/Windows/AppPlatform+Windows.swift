internal import AppPacks
internal import Components
internal import WebGUI

/// Components that are pages. A browser shows them; what they can reach is here, as for any other component.
extension AppPlatform {
    /// Begins to serve a window. It ends when no browser shows it any more.
    func startWindow(
        _ component: AppComponent, of app: RunningApp, command: StartCommand?
    ) async throws(AppFailure) -> Instance {
        let open = instances.values.filter { $0.component.runtime == .webGUI }
        guard open.count < settings.windows else {
            throw AppFailure(.cannotStart, "\(settings.windows) windows of apps are open already; close some")
        }
        guard open.count(where: { $0.app.domain == app.domain }) < settings.windowsOfApp else {
            throw AppFailure(
                .cannotStart, "\(settings.windowsOfApp) windows of \(app.domain) are open already; close some")
        }
        let instance = try add(component, of: app, command: command)
        let tree = CapabilityTree(of: instance, platform: self).root
        let window: AppWindow
        do {
            let id = instance.id
            let server = try await PageServer.start(site(of: instance, tree, settings.windowWords()))
            window = AppWindow(server) { [weak self] in await self?.ended(id, .stopped) }
        } catch {
            ended(instance.id, .crashed("\(error)"))
            throw AppFailure(.cannotStart, "the window of \(app.domain) cannot be served: \(error)")
        }
        guard instance.state == .starting else {
            await window.stop()
            try checkNotStopped(instance)
            return instance
        }
        instance.running = window
        instance.state = .running
        report(instance)
        endUnlessSeen(instance, after: settings.windowPatience)
        return instance
    }

    /// The address of a window, which lets one browser in, once.
    func entrance(to id: Instance.ID) throws(AppFailure) -> String {
        guard let instance = instances[id], instance.isLive, let window = instance.running as? AppWindow else {
            throw AppFailure(.unknownComponent, "this window has ended")
        }
        if instance.pages == 0 { endUnlessSeen(instance, after: settings.windowPatience) }
        return window.entrance
    }

    /// What pages of a browser would be allowed to do by themselves is not given to any app: all that it reaches goes through `w3n`, where
    /// each call is checked, and can be refused from one moment to the next.
    private func site(of instance: Instance, _ tree: ServiceObject, _ words: WindowWords) -> PageSite {
        let (library, installed, id) = (library, instance.app.installed, instance.id)
        return PageSite(
            frame: WindowFrame(
                title: instance.app.manifest.name, note: words.note, ended: words.ended, language: words.language,
                texts: words.texts),
            menu: menu(of: id),
            entryPoint: instance.entryPoint,
            file: { path in (try? library.read(path, of: installed)).map { PageFile($0) } },
            listing: { await PrewarmedListing(tree) },
            permissions: { Permissions() },
            connect: { [weak self] socket in await self?.connect(socket, of: id, to: tree) })
    }

    /// A page was loaded.
    private func connect(_ socket: PageSocket, of id: Instance.ID, to tree: ServiceObject) -> (any PagePeer)? {
        guard let instance = instances[id], instance.isLive else { return nil }
        let (log, entryPoint) = (instance.app.log, instance.entryPoint.text)
        instance.pages += 1
        return socket.connection(root: tree, memory: instance.memory) {
            log.deny("\($0)", from: entryPoint)
        } closed: { [weak self] end in
            Task { await self?.pageClosed(of: id, end) }
        }
    }

    /// A page was closed, is being loaded again, or took more than it may.
    private func pageClosed(of id: Instance.ID, _ end: ConnectionEnd) {
        guard let instance = instances[id] else { return }
        instance.pages -= 1
        switch end {
        case .exceeded(let what), .violation(let what):
            instance.app.log.write(.error, from: instance.entryPoint.text, "its page was cut off: \(what)")
        default: break
        }
        if instance.pages == 0 { endUnlessSeen(instance, after: settings.windowGrace) }
    }

    /// Ends a window that no browser shows after a while.
    private func endUnlessSeen(_ instance: Instance, after pause: Duration) {
        let id = instance.id
        instance.vigil?.cancel()
        instance.vigil = Task { [weak self] in
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            await self?.endUnseen(id)
        }
    }

    private func endUnseen(_ id: Instance.ID) {
        if instances[id]?.pages == 0 { closeSelf(id) }
    }
}
