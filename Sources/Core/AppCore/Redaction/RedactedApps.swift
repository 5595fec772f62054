// Apps without what they were told and said. What a manifest says of an app stays: it is the same for everybody.

extension AppsState {
    var redacted: AppsState {
        var apps = self
        apps.failure = failure?.redacted
        apps.setComponents(components.map(\.redacted))
        apps.logs = logs.map(\.redacted)
        apps.installation = installation?.redacted
        apps.core = core.redacted
        apps.links = links.map { AppLink(app: $0.app, url: $0.url.redactedLink) }
        return apps
    }
}

extension ListedComponent {
    var redacted: ListedComponent {
        var component = self
        component.reason = reason?.redacted
        return component
    }
}

extension AppLog {
    var redacted: AppLog {
        var log = self
        for index in lines.indices { log.lines[index].text = lines[index].text.redacted }
        for index in denials.indices { log.denials[index].text = denials[index].text.redacted }
        return log
    }
}

extension Installation {
    var redacted: Installation {
        var installation = Installation(
            source: source.redacted, name: name?.redacted, step: step, effect: effect)
        installation.pack = pack
        installation.progress = progress
        installation.failure = failure?.redacted
        return installation
    }
}

extension AppsCore {
    var redacted: AppsCore { AppsCore(bundle: bundle?.redacted, state: state, failure: failure?.redacted) }
}

extension Notice {
    /// What apps say and where files were saved; problems name nothing of a person's.
    var redacted: Notice {
        guard kind == .information else { return self }
        return Notice(id: id, kind: kind, text: text.redacted, room: room, app: app, view: view)
    }
}

extension AppsAction {
    var redacted: AppsAction {
        switch self {
        case .editSource(let text): .editSource(text: text.redacted)
        case .installApp(let source): .installApp(source: source.redacted)
        case .installFile(let name, let handle): .installFile(name: name.redacted, handle: handle.redacted)
        case .editParameters(let text): .editParameters(text: text.redacted)
        case .runApp(let app, let component, let command, let parameters):
            .runApp(app: app, component: component, command: command, parameters: parameters.map(\.redacted))
        case .openUrl(let app, let url): .openUrl(app: app, url: url.redactedLink)
        case .declineUrl(let app, let url): .declineUrl(app: app, url: url.redactedLink)
        case .editBundle(let text): .editBundle(text: text.redacted)
        case .chooseCore(let bundle): .chooseCore(bundle: bundle?.redacted)
        case .openApps, .closeApps, .retryApps, .showApp, .showAppLog, .clearAppLog, .switchRequest, .answerInstall,
            .declineInstall, .removeApp, .grantCapability, .revokeCapability, .setBackground, .openWindow, .stopApp,
            .stopComponent:
            self
        }
    }
}

extension String {
    /// A link with its scheme and its length, and nothing else.
    var redactedLink: String {
        let scheme = ["https://", "http://", "mailto:"].first { lowercased().hasPrefix($0) } ?? ""
        return scheme + String(dropFirst(scheme.count)).redacted
    }
}
