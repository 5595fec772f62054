/// The kind of device that a window is on, or that a component was made for.
public enum FormFactor: String, Hashable, Sendable, Codable, CaseIterable {
    case desktop
    case tablet
    case phone
    /// A phone with a large screen attached.
    case phoneWithScreen = "phone+screen"
    case tabletWithScreen = "tablet+screen"

    /// Whether something made for any of `factors` fits on this device. What names none fits everywhere, and where a screen is
    /// attached, so does what was made for desktops.
    public func fits(_ factors: Set<FormFactor>) -> Bool {
        switch self {
        case .phoneWithScreen, .tabletWithScreen:
            factors.isEmpty || factors.contains(self) || factors.contains(.desktop)
        case .desktop, .tablet, .phone: factors.isEmpty || factors.contains(self)
        }
    }
}
