/// Who may use a service, a command or a resource of an app.
public struct AllowedCallers: Hashable, Sendable {
    /// All, or some of them.
    public enum List<Element: Hashable & Sendable>: Hashable, Sendable {
        /// Everyone.
        case all
        /// Only these; no caller at all if empty.
        case only(Set<Element>)

        func contains(_ element: Element) -> Bool {
            switch self {
            case .all: true
            case .only(let elements): elements.contains(element)
            }
        }
    }

    /// Entry points of the same app.
    public var components: List<PackPath>
    /// Other apps, whichever of their components calls.
    public var otherApps: List<AppDomain>

    /// The callers that a service, command or resource admits; by default none.
    public init(components: List<PackPath> = .only([]), otherApps: List<AppDomain> = .only([])) {
        self.components = components
        self.otherApps = otherApps
    }

    /// Whether `caller` may use what `app` offers. The system, which acts for the person, always may.
    public func allows(_ caller: Caller, at app: AppDomain) -> Bool {
        switch caller {
        case .system: true
        case .component(let entryPoint, of: app): components.contains(entryPoint)
        case .component(_, of: let other): otherApps.contains(other)
        }
    }
}

/// Who calls.
public enum Caller: Hashable, Sendable {
    /// The person, at a terminal or a launcher.
    case system
    /// A component of an app.
    case component(PackPath, of: AppDomain)
}
