import AppCore
import Layout

// The picture, and what a finger does on it.

extension Simulator {
    static let picturing: [String: Method] = [
        "scene": { simulator, _ in try JSONValue(simulator.layout().scene) },
        "preview_mesh": { simulator, _ in try JSONValue(Mesh(of: simulator.layout().scene)) },
        "screenshot": { simulator, _ in try simulator.screenshot() },
        "assert_screenshot": { simulator, parameters in try simulator.assertScreenshot(parameters) },
        "hit_test": { simulator, parameters in try simulator.hitTest(parameters) },
        "assert_hit": { simulator, parameters in
            let wanted = try parameters.needText("node_id")
            let (x, y) = try point(parameters)
            let hit = try simulator.layout().hit(x: x, y: y)?.id
            return try assert(hit == wanted, "At \(x), \(y) is \(hit ?? "nothing"), not \(wanted).")
        },
        "tap_at": { simulator, parameters in try simulator.acting { try simulator.tapAt(parameters) } },
        "scroll": { simulator, parameters in try simulator.scroll(parameters) },
        "gesture": { simulator, parameters in try simulator.gesture(parameters) },
    ]

    private static func point(_ parameters: Parameters) throws -> (x: Int, y: Int) {
        let (x, y) = (try parameters.needNumber("x"), try parameters.needNumber("y"))
        guard abs(x) < 1e6, abs(y) < 1e6 else {
            throw SimulatorError(.badRequest, "\(parameters.method): the point is off every screen.")
        }
        return (Int(x.rounded(.down)), Int(y.rounded(.down)))
    }

    // MARK: - Pictures

    func screenshot() throws -> JSONValue {
        let layout = try layout()
        let svg = layout.svg
        let frames = layout.frames.map { frame in
            JSONValue.object([
                "id": .string(frame.id),
                "bounds": (try? JSONValue(frame.bounds)) ?? .null,
                "shown": frame.shown.flatMap { try? JSONValue($0) } ?? .null,
            ])
        }
        return .object([
            "format": .string("svg"), "width": .integer(Int64(viewport.width)),
            "height": .integer(Int64(viewport.height)), "theme": .string(layout.scene.theme),
            "hash": .string(Fingerprint(of: svg.utf8).description), "svg": .string(svg),
            "scene": try JSONValue(layout.scene), "layout": .array(frames),
        ])
    }

    /// `snapshot` is what `screenshot` gave, or its SVG, or its hash.
    private func assertScreenshot(_ parameters: Parameters) throws -> JSONValue {
        let snapshot = try parameters.need("snapshot")
        let svg = try layout().svg
        let actual = Fingerprint(of: svg.utf8).description
        let expectedSVG = snapshot["svg"]?.string ?? snapshot.string.flatMap { $0.hasPrefix("<svg") ? $0 : nil }
        let hash = expectedSVG.map { Fingerprint(of: $0.utf8).description }
        guard let expected = hash ?? snapshot["hash"]?.string ?? snapshot.string else {
            throw SimulatorError(.badRequest, "assert_screenshot: \"snapshot\" is a screenshot, its SVG or its hash.")
        }
        var result: [String: JSONValue] = [
            "matches": .bool(expected == actual), "expected_hash": .string(expected), "actual_hash": .string(actual),
            "actual_length": .integer(Int64(svg.utf8.count)),
        ]
        if let expectedSVG {
            result["expected_length"] = .integer(Int64(expectedSVG.utf8.count))
            let difference = zip(expectedSVG.utf8, svg.utf8).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            result["first_difference"] = difference.map { .integer(Int64($0)) } ?? .null
        }
        if expected == actual { return .object(result) }
        let line = expectedSVG.flatMap { Self.firstChange(in: $0, svg) } ?? ""
        throw SimulatorError(.assertionFailed, "The picture is another one: \(actual), not \(expected).\(line)")
    }

    private static func firstChange(in expected: String, _ actual: String) -> String? {
        let lines = (expected.split(separator: "\n"), actual.split(separator: "\n"))
        guard let pair = zip(lines.0, lines.1).first(where: { $0 != $1 }) else { return nil }
        return " The first line that differs was \(pair.0.prefix(200)) and is \(pair.1.prefix(200))."
    }

    // MARK: - Touches

    private func hitTest(_ parameters: Parameters) throws -> JSONValue {
        let (x, y) = try Self.point(parameters)
        let layout = try layout()
        let hit = layout.hit(x: x, y: y)
        return .object([
            "node_id": hit.map { .string($0.id) } ?? .null,
            "node": try hit.flatMap { try json(of: $0.id, in: layout) } ?? .null,
            "tap_node_id": layout.hit(x: x, y: y, action: "tap").map { .string($0.id) } ?? .null,
        ])
    }

    private func tapAt(_ parameters: Parameters) throws {
        let (x, y) = try Self.point(parameters)
        let layout = try layout()
        let target = ["tap", "set_text", "set_secret", "attach"].lazy.compactMap {
            layout.hit(x: x, y: y, action: $0)?.id
        }.first
        guard let target = target ?? layout.hit(x: x, y: y)?.id else {
            throw SimulatorError(.unreachableNode, "There is nothing at \(x), \(y).")
        }
        try tap(target, parameters)
    }

    private func scroll(_ parameters: Parameters) throws -> JSONValue {
        let id = try parameters.needText("node_id")
        return try scroll(id, by: try parameters.needNumber("delta_y"))
    }

    private func scroll(_ id: String, by points: Double) throws -> JSONValue {
        let layout = try layout()
        _ = try find(id, in: layout)
        guard let area = layout.scrollArea(around: id) else {
            throw SimulatorError(.wrongInput, "\(id) does not scroll: everything is in sight.")
        }
        guard abs(points) < 1e9 else { throw SimulatorError(.badRequest, "\"delta_y\" is too far.") }
        let scrolled = layout.scrolled(id, by: Int(points.rounded()))
        change { _ in view = scrolled }
        let offset = try self.layout().scrollAreas.first { $0.id == area.id }?.offset ?? 0
        return .object([
            "handled": .bool(true), "node_id": .string(area.id), "offset": .integer(Int64(offset)),
            "max_offset": .integer(Int64(area.maxOffset)),
        ])
    }

    /// `{type: tap|swipe|scroll, x, y, delta_y?}`: a swipe up shows what is below.
    private func gesture(_ parameters: Parameters) throws -> JSONValue {
        switch try parameters.needText("type") {
        case "tap": return try acting { try tapAt(parameters) }
        case "swipe", "scroll":
            let (x, y) = try Self.point(parameters)
            guard let hit = try layout().hit(x: x, y: y) else {
                throw SimulatorError(.unreachableNode, "There is nothing at \(x), \(y).")
            }
            return try scroll(hit.id, by: try parameters.needNumber("delta_y"))
        default: throw SimulatorError(.badRequest, "gesture: \"type\" must be tap, swipe or scroll.")
        }
    }
}
