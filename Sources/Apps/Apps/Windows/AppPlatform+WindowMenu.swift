internal import AppPacks
internal import Components
internal import Dispatch
internal import WebGUI
internal import Wire

/// What the menu of a window shows of its app and does with it. It is ours: the app has no way to it.
extension AppPlatform {
    func menu(of id: Instance.ID) -> WindowMenu {
        WindowMenu(
            permissions: { [weak self] in await self?.permissions(of: id) ?? [] },
            lines: { [weak self] in await self?.lines(of: id) ?? [] },
            setGrant: { [weak self] name, isGranted in await self?.setGrant(name, isGranted, from: id) ?? false },
            stop: { [weak self] in await self?.stopApp(of: id) })
    }

    private func permissions(of id: Instance.ID) async -> [WindowMenu.Permission] {
        guard let app = instances[id]?.app else { return [] }
        var permissions: [WindowMenu.Permission] = []
        for request in app.manifest.requests {
            let words = await settings.requestWords(request, app.manifest)
            permissions.append(
                WindowMenu.Permission(
                    capability: request.capability.rawValue, title: words.title, detail: words.detail,
                    isGranted: request.permissions.allSatisfy(app.grants.contains)))
        }
        return permissions
    }

    private func lines(of id: Instance.ID) -> [WindowMenu.Line] {
        instances[id]?.app.log.newest.map { entry in
            WindowMenu.Line(
                time: entry.time, level: entry.level.rawValue, text: PrintableText.lines(entry.text, margin: ""))
        } ?? []
    }

    /// What is taken back is gone when this returns.
    private func setGrant(_ name: String, _ isGranted: Bool, from id: Instance.ID) async -> Bool {
        guard let instance = instances[id], instance.isLive, let capability = Capability(rawValue: name) else {
            return false
        }
        let (library, domain) = (library, instance.app.domain)
        let isWritten = await withCheckedContinuation { written in
            disk.async {
                written.resume(returning: (try? library.setGrant(capability, to: isGranted, of: domain)) != nil)
            }
        }
        return isWritten && (try? grantsChanged(of: domain)) != nil
    }

    /// Ends all of the app: its other windows, and its parts that nobody sees.
    private func stopApp(of id: Instance.ID) async {
        guard let domain = instances[id]?.app.domain else { return }
        try? await stopEverything(of: domain)
    }
}
