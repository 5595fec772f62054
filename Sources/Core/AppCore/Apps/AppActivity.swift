// What apps do: components that run, what they log, what they were denied.

/// One running of a component.
package typealias InstanceID = Identifier<ListedComponent>

package struct ListedComponent: Sendable, Hashable, Codable, Identifiable {
    package enum State: String, Sendable, Hashable, Codable, CaseIterable {
        case starting, running
        /// It crashed, and is started again at ``ListedComponent/at``.
        case restarting
        /// It crashed, and stays so until somebody starts it.
        case crashed
        case stopped
    }

    package let id: InstanceID
    package let app: AppID
    /// The path of its script or page.
    package var entrypoint: String
    package var state: State
    /// When it is started again.
    package var at: Timestamp?
    /// Why it crashed, for who wrote it.
    package var reason: String?

    package init(
        id: InstanceID, app: AppID, entrypoint: String, state: State, at: Timestamp? = nil, reason: String? = nil
    ) {
        self.id = id
        self.app = app
        self.entrypoint = entrypoint
        self.state = state
        self.at = at
        self.reason = reason
    }

    /// The name to show.
    var title: String { entrypoint.isEmpty ? id.text : entrypoint }

    package var isRunning: Bool { state != .crashed && state != .stopped }

    var fitted: ListedComponent {
        var component = self
        component.entrypoint = entrypoint.appName
        component.reason = reason?.withoutControls.limited(to: AppsLimits.logLineBytes)
        return component
    }
}

/// What an app said, and what it was denied, since somebody looks.
package struct AppLog: Sendable, Hashable, Codable {
    package let app: AppID
    /// Oldest first.
    package internal(set) var lines: [AppLogLine] = []
    package internal(set) var denials: [Denial] = []

    init(app: AppID) { self.app = app }

    /// What an app tried without being allowed to.
    package struct Denial: Sendable, Hashable, Codable {
        package let capability: CapabilityName
        package internal(set) var count: Int
        /// The last one.
        package internal(set) var text: String
        package internal(set) var at: Timestamp
    }

    mutating func add(_ line: AppLogLine) {
        lines.append(line)
        if lines.count > AppsLimits.logLines { lines.removeFirst(lines.count - AppsLimits.logLines) }
    }

    /// - Returns: whether it is the first denial of this capability.
    mutating func deny(_ capability: CapabilityName, _ text: String, at now: Timestamp) -> Bool {
        let text = text.withoutControls.limited(to: AppsLimits.logLineBytes)
        if let index = denials.firstIndex(where: { $0.capability == capability }) {
            denials[index].count = min(denials[index].count, Int.max - 1) + 1
            denials[index].text = text
            denials[index].at = now
            return false
        }
        guard denials.count < AppsLimits.requests else { return false }
        denials.append(Denial(capability: capability, count: 1, text: text, at: now))
        return true
    }
}

package struct AppLogLine: Sendable, Hashable, Codable {
    package enum Level: String, Sendable, Hashable, Codable, CaseIterable { case debug, info, warning, error }

    package var level: Level
    /// The component that said it, by its path.
    package var component: String?
    package var text: String
    package var at: Timestamp

    package init(level: Level, component: String? = nil, text: String, at: Timestamp) {
        self.level = level
        self.component = component
        self.text = text
        self.at = at
    }

    var fitted: AppLogLine {
        AppLogLine(
            level: level, component: component?.appName,
            text: text.withoutControls.limited(to: AppsLimits.logLineBytes), at: at)
    }
}

/// A link that an app asks to open.
package struct AppLink: Sendable, Hashable, Codable {
    package let app: AppID
    package let url: String
}
