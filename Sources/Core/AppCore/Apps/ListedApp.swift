// What the core knows of an installed app. The app itself, its data and its grants live in the library of apps.

/// An app, by its domain: `feeds.example.org`.
package typealias AppID = Identifier<ListedApp>
/// Something that an app can be granted, by its name: `storage.app.local`.
package typealias CapabilityName = Identifier<AppRequest>

/// One line in the list of apps.
package struct ListedApp: Sendable, Hashable, Codable, Identifiable {
    package let id: AppID
    package var name: String
    package var version: String
    /// What it says of itself.
    package var about: String
    /// The bytes of all its files.
    package var bytes: Int64
    /// What it asks for, and what of it was granted.
    package var requests: [AppRequest]
    /// Commands that the person can give.
    package var commands: [AppCommand]
    /// What it shows in windows of its own. Hosts that show none leave it out.
    package var windows: [AppWindow]?
    /// Whether it has a picture, which the host keeps.
    package var icon: Bool?
    package var background: BackgroundStrategy
    /// Why it cannot run, if it cannot.
    package var problem: Failure.Code?

    package init(
        id: AppID, name: String, version: String, about: String = "", bytes: Int64 = 0, requests: [AppRequest] = [],
        commands: [AppCommand] = [], windows: [AppWindow]? = nil, icon: Bool? = nil,
        background: BackgroundStrategy = .foreground,
        problem: Failure.Code? = nil
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.about = about
        self.bytes = bytes
        self.requests = requests
        self.commands = commands
        self.windows = windows
        self.icon = icon
        self.background = background
        self.problem = problem
    }

    /// As it may be kept and shown here.
    var fitted: ListedApp {
        var app = self
        app.name = name.appName
        app.version = version.appName
        app.about = about.withoutControls.limited(to: AppsLimits.aboutBytes)
        app.bytes = max(bytes, 0)
        app.requests = requests.fitted
        app.commands = commands.prefix(AppsLimits.commands).map(\.fitted)
        app.windows = windows?.prefix(AppsLimits.windows).map(\.fitted)
        return app
    }

    /// One of its windows, by its component.
    func window(_ component: String) -> AppWindow? { windows?.first { $0.component == component } }

    /// The name to show.
    package var title: String { name.isEmpty ? id.text : name }
}

/// One thing that an app asks for.
package struct AppRequest: Sendable, Hashable, Codable {
    package var capability: CapabilityName
    /// What it lets the app do: "Reach sites on the network".
    package var words: String
    /// How much of it, one for each part.
    package var details: [RequestDetail]
    /// Whether it reaches beyond the app's own affairs.
    package var sensitive: Bool
    /// Whether it is there to be had at all.
    package var available: Bool
    package var granted: Bool
    /// In a pack that replaces an app: whether the installed version did not ask for it.
    package var added: Bool

    package init(
        capability: CapabilityName, words: String, details: [RequestDetail] = [], sensitive: Bool = false,
        available: Bool = true, granted: Bool = false, added: Bool = false
    ) {
        self.capability = capability
        self.words = words
        self.details = details
        self.sensitive = sensitive
        self.available = available
        self.granted = granted
        self.added = added
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        capability = try container.decode(CapabilityName.self, forKey: .capability)
        words = try container.decode(String.self, forKey: .words)
        // In traces of version 0.2 the host had made sentences of them.
        let sentences = try? container.decode([String].self, forKey: .details)
        details = try sentences?.map { .other(text: $0) } ?? container.decode([RequestDetail].self, forKey: .details)
        sensitive = try container.decode(Bool.self, forKey: .sensitive)
        available = try container.decode(Bool.self, forKey: .available)
        granted = try container.decode(Bool.self, forKey: .granted)
        added = try container.decode(Bool.self, forKey: .added)
    }
}

extension [AppRequest] {
    /// As they may be kept and shown here, without repetitions.
    var fitted: [AppRequest] {
        var seen: Set<CapabilityName> = []
        return prefix(AppsLimits.requests).filter { seen.insert($0.capability).inserted }.map { request in
            var request = request
            request.words = request.words.appName
            request.details = request.details.prefix(AppsLimits.details).map(\.fitted)
            return request
        }
    }
}

/// A command that a component takes.
package struct AppCommand: Sendable, Hashable, Codable {
    package var name: String
    /// The component that takes it, by the path of its script or page.
    package var component: String

    package init(name: String, component: String) {
        self.name = name
        self.component = component
    }

    fileprivate var fitted: AppCommand { AppCommand(name: name.appName, component: component.appName) }
}

/// What an app shows in a window of its own.
package struct AppWindow: Sendable, Hashable, Codable {
    /// Empty if the manifest gives it none.
    package var name: String
    /// The component that is shown, by the path of its page.
    package var component: String

    package init(name: String, component: String) {
        self.name = name
        self.component = component
    }

    fileprivate var fitted: AppWindow { AppWindow(name: name.appName, component: component.appName) }
}

/// How an app goes on while Alcove is not in front.
package enum BackgroundStrategy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It does not.
    case foreground
    /// It is woken now and then.
    case periodic
    /// A message from the network wakes it.
    case push
}

/// Bounds that the apps slice keeps.
package enum AppsLimits {
    package static let apps = 1000
    package static let requests = 64
    /// Lines that say how much of a capability is asked for.
    package static let details = 32
    package static let commands = 64
    /// Kinds of windows of one app.
    package static let windows = 16
    /// Other apps that one could be confused with.
    package static let warnings = 8
    /// Components that run, of all apps.
    package static let components = 4096
    /// Log lines that are kept of an app.
    package static let logLines = 100
    package static let logLineBytes = 1024
    /// Links that apps ask to open, at the same time.
    package static let links = 8
    /// Bytes of a name, a path or a version.
    package static let nameBytes = 256
    package static let aboutBytes = 4096
    /// Bytes of a path or a URL.
    package static let sourceBytes = 4096
    package static let parametersBytes = 8192
}

extension String {
    /// A name, in one line of limited length.
    var appName: String { withoutControls.trimmed.limited(to: AppsLimits.nameBytes) }
    /// A path or URL as it was entered or came in, in one line.
    var appSource: String { withoutControls.trimmed.limited(to: AppsLimits.sourceBytes) }
}
