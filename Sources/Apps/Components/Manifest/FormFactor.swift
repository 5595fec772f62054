/// The kind of device that a window is on, or that a component was made for.
public enum FormFactor: String, Hashable, Sendable, Codable, CaseIterable {
    /// A computer with keyboard and pointer.
    case desktop
    /// A tablet.
    case tablet
    /// A phone.
    case phone
    /// A phone with a large screen attached.
    case phoneWithScreen = "phone+screen"
    /// A tablet with a screen connected.
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
