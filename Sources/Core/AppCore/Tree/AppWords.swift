// Apps in the words that a person reads.

extension ListedComponent {
    var stateText: Words {
        switch state {
        case .starting: "app.starting"
        case .running: "app.running"
        case .restarting: "component.restarting"
        case .crashed: "component.crashed"
        case .stopped: "component.stopped"
        }
    }
}

extension Installation {
    var statusText: Words {
        switch step {
        case .inspecting: "install_app.inspecting"
        case .asking: "install_app.asking"
        case .installing: failure == nil ? "install_app.installing" : "install_app.waiting"
        }
    }
}

extension AppPack {
    private var versions: [String: Words.Arg] {
        ["version": .said(version), "old": .words(replaces.map { .said($0) } ?? "install_app.version.installed")]
    }

    var stepText: Words {
        switch step {
        case .new: .key("install_app.version.new", ["version": .said(version)])
        case .update: .key("install_app.version.update", versions)
        case .again: .key("install_app.version.again", ["version": .said(version)])
        case .downgrade: .key("install_app.version.downgrade", versions)
        }
    }
}

extension AppRequest {
    /// What to know besides its words.
    package var detail: Words? { detail(after: nil) }

    /// The same, after what is said first.
    func detail(after first: Words?) -> Words? {
        let marks: [Words?] = [
            first, sensitive ? "request.sensitive" : nil,
            available ? nil : "request.unavailable",
        ]
        return Words(sentences: marks + details.map(\.words))
    }
}

extension BackgroundStrategy {
    var title: Words {
        switch self {
        case .foreground: "background.foreground"
        case .periodic: "background.periodic"
        case .push: "background.push"
        }
    }
}

extension AppLogLine.Level {
    var title: Words? {
        switch self {
        case .debug: "log.debug"
        case .info: nil
        case .warning: "log.warning"
        case .error: "log.error"
        }
    }
}

extension AppsCore {
    var statusText: Words {
        let name: [String: Words.Arg] = ["core": .words(bundle == nil ? "apps_core.own" : "apps_core.library")]
        return switch state {
        case .stopped: .key("apps_core.stopped", name)
        case .starting: .key("apps_core.starting", name)
        case .signedOut: .key("apps_core.signed_out", name)
        case .signedIn: .key(bundle == nil ? "apps_core.running" : "apps_core.signed_in", name)
        case .failed: .key("apps_core.failed", name)
        }
    }

    /// What to know about it in the list of apps; nil if all is well.
    var warning: Words? {
        state == .failed || (bundle != nil && state == .signedOut)
            ? .key("apps_core.warning", ["status": .words(statusText)]) : nil
    }
}
