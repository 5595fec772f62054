import Layout

/// The scene as triangles, for a renderer that knows nothing else: two for every rectangle and for the box of every line
/// of text, in normalised device coordinates (-1…1, up is positive), in the order of drawing.
struct Mesh: Encodable {
    struct Vertex: Encodable {
        let position: [Double]
        /// Red, green, blue, from 0 to 1.
        let color: [Double]
    }

    let backend = "triangle-list-v1"
    let sceneSchemaVersion: Int
    /// Vertices, three a triangle.
    private(set) var vertexCount = 0
    let viewport: Viewport
    private(set) var vertices: [Vertex] = []

    var triangles: Int { vertices.count / 3 }

    init(of scene: Scene) {
        viewport = scene.viewport
        sceneSchemaVersion = scene.schemaVersion
        for layer in scene.layers {
            for primitive in layer.primitives { add(primitive) }
        }
        vertexCount = vertices.count
    }

    private mutating func add(_ primitive: Scene.Primitive) {
        switch primitive {
        case .rect(let shape):
            guard let fill = shape.fill else { return }
            add(shape.clip.map { $0.intersection(shape.bounds) } ?? shape.bounds, fill)
        case .text(let line):
            // The box between the ascender and the baseline.
            let box = Rect(x: line.x, y: line.y - line.fontSize, width: line.width, height: line.fontSize)
            add(line.clip.map { $0.intersection(box) } ?? box, line.fill)
        }
    }

    private mutating func add(_ rect: Rect?, _ colour: String) {
        guard let rect, rect.width > 0, rect.height > 0 else { return }
        let colour = Self.components(of: colour)
        let (left, right) = (x(rect.x), x(rect.maxX))
        let (top, bottom) = (y(rect.y), y(rect.maxY))
        for (x, y) in [(left, top), (left, bottom), (right, top), (right, top), (left, bottom), (right, bottom)] {
            vertices.append(Vertex(position: [x, y], color: colour))
        }
    }

    private func x(_ points: Int) -> Double { Double(points) / Double(viewport.width) * 2 - 1 }
    private func y(_ points: Int) -> Double { 1 - Double(points) / Double(viewport.height) * 2 }

    /// `#RRGGBB` as three numbers.
    private static func components(of colour: String) -> [Double] {
        let number = UInt32(colour.dropFirst(), radix: 16) ?? 0
        return [16, 8, 0].map { Double((number >> $0) & 0xFF) / 255 }
    }
}
