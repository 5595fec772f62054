/// A rectangle in whole logical points, half-open: it has its left and upper edges, and not its right and lower ones.
public struct Rect: Sendable, Hashable, Codable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public var maxX: Int { x + width }
    public var maxY: Int { y + height }

    public func contains(x: Int, y: Int) -> Bool {
        x >= self.x && x < maxX && y >= self.y && y < maxY
    }

    /// Whether all of `other` is in this rectangle.
    public func contains(_ other: Rect) -> Bool {
        other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
    }

    /// What the two have in common; `nil` if that is nothing.
    public func intersection(_ other: Rect) -> Rect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(maxX, other.maxX)
        let bottom = min(maxY, other.maxY)
        guard left < right, top < bottom else { return nil }
        return Rect(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// The size of the screen in logical points.
public struct Viewport: Sendable, Hashable, Codable {
    public let width: Int
    public let height: Int

    /// 390 × 844, the screen the earlier simulator had too.
    public static let phone = Viewport(known: 390, 844)

    /// - Throws: `viewport_invalid` for a side outside ``ViewLimits/viewport``.
    public init(width: Int, height: Int) throws(LayoutError) {
        guard ViewLimits.viewport.contains(width), ViewLimits.viewport.contains(height) else {
            let (least, most) = (ViewLimits.viewport.lowerBound, ViewLimits.viewport.upperBound)
            throw LayoutError(
                .viewportInvalid, "A viewport has \(least) to \(most) points a side, not \(width) × \(height).")
        }
        self.init(known: width, height)
    }

    public init(from decoder: any Decoder) throws {
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
