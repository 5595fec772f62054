// Apps in the words that a person reads.

extension ListedComponent {
    var stateText: String {
        switch state {
        case .starting: "Starting"
        case .running: "Running"
        case .restarting: "Crashed; it is started again"
        case .crashed: "Crashed too often; it is not started again by itself"
        case .stopped: "Stopped"
        }
    }
}

extension Installation {
    var statusText: String {
        switch step {
        case .inspecting: "Looking at the app"
        case .asking: "Waits for your answer"
        case .installing: failure == nil ? "Installing" : "Waits to be installed"
        }
    }
}

extension AppPack {
    var stepText: String {
        switch step {
        case .new: "Version \(version), a new app"
        case .update: "Version \(version), in place of \(replaces ?? "the installed one")"
        case .again: "Version \(version), once more"
        case .downgrade:
            "Version \(version), older than \(replaces ?? "the installed one"), whose files it may not understand"
        }
    }
}

extension AppRequest {
    /// What to know besides its words.
    func detail(after first: String?) -> String? {
        let marks = [
            first, sensitive ? "Reaches beyond its own affairs" : nil,
            available ? nil : "Not available here, also when granted",
        ]
        let text = (marks.compactMap(\.self) + details).joined(separator: ". ")
        return text.isEmpty ? nil : text
    }
}

extension BackgroundStrategy {
    var title: String {
        switch self {
        case .foreground: "It ends with Alcove"
        case .periodic: "It is woken now and then"
        case .push: "Messages from the network wake it"
        }
    }
}

extension AppLogLine.Level {
    var title: String? {
        switch self {
        case .debug: "Detail"
        case .info: nil
        case .warning: "Warning"
        case .error: "Error"
        }
    }
}

extension AppsCore {
    var statusText: String {
        let name = bundle == nil ? "The built-in core" : "The core library"
        return switch state {
        case .stopped: "\(name) is stopped"
        case .starting: "\(name) is starting"
        case .signedOut: "\(name) runs; nobody is signed in"
        case .signedIn: bundle == nil ? "\(name) runs" : "\(name) runs, and you are signed in"
        case .failed: "\(name) could not be started"
        }
    }

    /// What to know about it in the list of apps; nil if all is well.
    var warning: String? { state == .failed || (bundle != nil && state == .signedOut) ? statusText + "." : nil }
}
