import AppCore
import Layout

// The picture, and what a finger does on it.

extension Simulator {
    static let picturing: [String: Method] = [
        "scene": { simulator, _ in try JSONValue(simulator.layout().scene) },
        "preview_mesh": { simulator, _ in try JSONValue(Mesh(of: simulator.layout().scene)) },
        "screenshot": { simulator, parameters in
            try JSONValue(simulator.layout(at: parameters.whole("at")).snapshot)
        },
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

    /// `snapshot` is what `screenshot` gave, or its SVG, or its hash.
    private func assertScreenshot(_ parameters: Parameters) throws -> JSONValue {
        let written = try parameters.need("snapshot")
        let expected: ExpectedSnapshot
        if let text = written.string {
            let isPicture = text.hasPrefix("<svg")
            expected = ExpectedSnapshot(
                hash: isPicture ? Snapshot.fingerprint(of: text) : text, svg: isPicture ? text : nil)
        } else {
            expected = try parameters.decode(ExpectedSnapshot.self, "snapshot")
        }
        let actual = try layout().snapshot
        let comparison = SnapshotComparison(expected: expected, actual: actual)
        if comparison.matches { return try JSONValue(comparison) }
        let line = expected.svg.flatMap { Self.firstChange(in: $0, actual.svg) } ?? ""
        throw SimulatorError(
            .assertionFailed, "The picture is another one: \(actual.hash), not \(comparison.expectedHash).\(line)")
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
