/// What to draw: layers of rectangles and lines of text, from the back to the front. Only what is in sight is in it.
package struct Scene: Sendable, Hashable, Encodable {
    package struct Layer: Sendable, Hashable, Encodable {
        /// `background`, `chrome` or `content`.
        package let id: String
        package let zIndex: Int
        package internal(set) var primitives: [Primitive] = []
    }

    package enum Primitive: Sendable, Hashable {
        case rect(Shape)
        case text(Line)
    }

    package struct Shape: Sendable, Hashable, Encodable {
        let type = "rect"
        package let semanticNodeID: String
        package let bounds: Rect
        package let radius: Int
        /// `#RRGGBB`.
        package let fill: String?
        package let stroke: String?
        /// In points; `nil` is one.
        package var strokeWidth: Int?
        /// What can be seen of it, if not all can.
        package let clip: Rect?
    }

    package struct Line: Sendable, Hashable, Encodable {
        let type = "text"
        package let semanticNodeID: String
        package let text: String
        /// The left end of the baseline.
        package let x: Int
        package let y: Int
        /// In points, as measured.
        package let width: Int
        package let fontSize: Int
        package let fontWeight: Int
        package let fill: String
        /// `rtl` for what is read from right to left.
        package let direction: String?
        package let clip: Rect?
    }

    package let schemaVersion = 1
    package let viewport: Viewport
    package let coordinateSpace = "logical_points_top_left"
    package let theme = Theme.name
    /// What the screen is called.
    package let title: String
    package let layers: [Layer]

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, viewport, coordinateSpace, theme, title, layers
    }
}

extension Scene.Primitive: Encodable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .rect(let shape): try shape.encode(to: encoder)
        case .text(let line): try line.encode(to: encoder)
        }
    }

    /// What can be seen of it, if not all can.
    package var clip: Rect? {
        switch self {
        case .rect(let shape): shape.clip
        case .text(let line): line.clip
        }
    }
}
