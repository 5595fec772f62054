/// The contrast of two colours by WCAG 2.1, computed with nothing but the four basic operations, so that it is the same on
/// every machine.
enum Contrast {
    /// The least contrast of text on its background, in hundredths.
    static let least = 450

    /// In hundredths, rounded down: 100 to 2100.
    static func ratio(_ first: UInt32, _ second: UInt32) -> Int {
        let (dark, light) = (min(luminance(first), luminance(second)), max(luminance(first), luminance(second)))
        return Int((light + 0.05) / (dark + 0.05) * 100)
    }

    /// The relative luminance of 0xRRGGBB.
    private static func luminance(_ rgb: UInt32) -> Double {
        0.2126 * linear[Int(rgb >> 16 & 0xFF)] + 0.7152 * linear[Int(rgb >> 8 & 0xFF)] + 0.0722
            * linear[Int(rgb & 0xFF)]
    }

    /// The light of each of the 256 steps of a primary colour.
    private static let linear: [Double] = (0...255).map { step in
        let value = Double(step) / 255
        guard value > 0.03928 else { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // The exponent is 2.4, which is two and two fifths.
        return base * base * fifthRoot(base * base)
    }

    /// Newton's method; the argument is in (0, 1].
    private static func fifthRoot(_ value: Double) -> Double {
        var root = 1.0
        for _ in 0..<64 { root = (4 * root + value / (root * root * root * root)) / 5 }
        return root
    }
}
