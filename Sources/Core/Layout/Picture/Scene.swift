/// What to draw: layers of rectangles and lines of text, from the back to the front. Only what is in sight is in it.
public struct Scene: Sendable, Hashable, Encodable {
    public struct Layer: Sendable, Hashable, Encodable {
        /// `background`, `chrome` or `content`.
        public let id: String
        public let zIndex: Int
        public internal(set) var primitives: [Primitive] = []
    }

    public enum Primitive: Sendable, Hashable {
        case rect(Shape)
        case text(Line)
    }

    public struct Shape: Sendable, Hashable, Encodable {
        let type = "rect"
        public let semanticNodeID: String
        public let bounds: Rect
        public let radius: Int
        /// `#RRGGBB`.
        public let fill: String?
        public let stroke: String?
        /// In points; `nil` is one.
        public var strokeWidth: Int?
        /// What can be seen of it, if not all can.
        public let clip: Rect?
    }

    public struct Line: Sendable, Hashable, Encodable {
        let type = "text"
        public let semanticNodeID: String
        public let text: String
        /// The left end of the baseline.
        public let x: Int
        public let y: Int
        /// In points, as measured.
        public let width: Int
        public let fontSize: Int
        public let fontWeight: Int
        public let fill: String
        /// `rtl` for what is read from right to left.
        public let direction: String?
        public let clip: Rect?
    }

    public let schemaVersion = 1
    public let viewport: Viewport
    public let coordinateSpace = "logical_points_top_left"
    public let theme = Theme.name
    /// What the screen is called.
    public let title: String
    public let layers: [Layer]

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, viewport, coordinateSpace, theme, title, layers
    }
}

extension Scene.Primitive: Encodable {
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .rect(let shape): try shape.encode(to: encoder)
        case .text(let line): try line.encode(to: encoder)
        }
    }

    /// What can be seen of it, if not all can.
    public var clip: Rect? {
        switch self {
        case .rect(let shape): shape.clip
        case .text(let line): line.clip
        }
    }
}
