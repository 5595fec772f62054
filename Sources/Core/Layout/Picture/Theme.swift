/// The colours of the theme "alcove-1". Everything that is drawn names one of these, so that contrast can be computed.
enum Ink: String, Sendable, Hashable, CaseIterable {
    /// What lies below everything, and what lies on it.
    case paper, bar, card, field
    case text, muted, accent, line
    case button
    /// Bubbles.
    case own, onOwn, mutedOnOwn, other
    case banner, onBanner, edgeOfBanner
    case disabled, onDisabled
    /// In the picture of a difference.
    case added, removed, changed

    /// 0xRRGGBB.
    var rgb: UInt32 {
        switch self {
        case .paper: 0xF6F7F9
        case .bar, .card, .field: 0xFFFFFF
        case .text: 0x16191D
        case .muted: 0x545B64
        case .accent, .own: 0x1D57B8
        case .line: 0x7A828D
        case .button: 0xE4ECFA
        case .onOwn: 0xFFFFFF
        case .mutedOnOwn: 0xD9E5FB
        case .other: 0xE7EAEE
        case .banner: 0xFFF0C2
        case .onBanner: 0x4A3500
        case .edgeOfBanner: 0xB58900
        case .disabled: 0xE9EBEE
        case .onDisabled: 0x5C636B
        case .added: 0x1B7F3B
        case .removed: 0xC0262D
        case .changed: 0xB26A00
        }
    }

    /// `#RRGGBB`.
    var hex: String {
        let digits = String(rgb, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// What a box is painted with below its content.
struct Surface: Sendable, Hashable {
    var fill: Ink?
    var border: Ink?
    var radius = 0
    /// Part of the frame around the content rather than of the content.
    var isChrome = false
}

enum Theme {
    static let name = "alcove-1"
    static let fontFamily = "Helvetica, Arial, Liberation Sans, sans-serif"
}
