/// A rectangle in whole logical points, half-open: it has its left and upper edges, and not its right and lower ones.
package struct Rect: Sendable, Hashable, Codable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package var maxX: Int { x + width }
    package var maxY: Int { y + height }

    package func contains(x: Int, y: Int) -> Bool {
        x >= self.x && x < maxX && y >= self.y && y < maxY
    }

    /// Whether all of `other` is in this rectangle.
    package func contains(_ other: Rect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    /// What the two have in common; `nil` if that is nothing.
    package func intersection(_ other: Rect) -> Rect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(maxX, other.maxX)
        let bottom = min(maxY, other.maxY)
        guard left < right, top < bottom else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// The size of the screen in logical points.
package struct Viewport: Sendable, Hashable, Codable {
    package let width: Int
    package let height: Int

    /// 390 × 844, the screen the earlier simulator had too.
    package static let phone = Viewport(known: 390, 844)

    /// - Throws: `viewport_invalid` for a side outside ``ViewLimits/viewport``.
    package init(width: Int, height: Int) throws(LayoutError) {
        guard ViewLimits.viewport.contains(width), ViewLimits.viewport.contains(height) else {
            let (least, most) = (ViewLimits.viewport.lowerBound, ViewLimits.viewport.upperBound)
            throw LayoutError(
                .viewportInvalid, "A viewport has \(least) to \(most) points a side, not \(width) × \(height).")
        }
        self.init(known: width, height)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            width: try container.decode(Int.self, forKey: .width),
            height: try container.decode(Int.self, forKey: .height))
    }

    private init(known width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    var rect: Rect { Rect(x: 0, y: 0, width: width, height: height) }
}
