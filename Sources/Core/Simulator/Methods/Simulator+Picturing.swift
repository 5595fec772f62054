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
            let hit = try simulator.hit(x: x, y: y)
            return try assert(
                hit == wanted, "At \(x), \(y) is \(hit ?? "nothing"), not \(wanted).",
                ["x": .integer(Int64(x)), "y": .integer(Int64(y)), "node_id": .string(wanted)])
        },
        "tap_at": { simulator, parameters in try simulator.tapAt(parameters) },
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
        if comparison.matches {
            var result = try JSONValue(comparison)
            result["matched"] = .bool(true)
            result["hash"] = .string(actual.hash)
            return result
        }
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
        let hit = try hit(x: x, y: y)
        return .object([
            "x": .integer(Int64(x)), "y": .integer(Int64(y)),
            "node_id": hit.map { .string($0) } ?? .null,
            "node": try hit.map { try node($0) } ?? .null,
            "tap_node_id": try self.hit(x: x, y: y, action: "tap").map { .string($0) } ?? .null,
        ])
    }

    private func tapAt(_ parameters: Parameters) throws -> JSONValue {
        let (x, y) = try Self.point(parameters)
        var target: String?
        for action in ["tap", "set_text", "set_secret", "attach"] where target == nil {
            target = try hit(x: x, y: y, action: action)
        }
        if target == nil, jcode == nil { target = try hit(x: x, y: y) }
        guard let target else { throw SimulatorError(.unreachableNode, "There is nothing to tap at \(x), \(y).") }
        let echo: [String: JSONValue] = [
            "x": .integer(Int64(x)), "y": .integer(Int64(y)), "node_id": .string(target),
        ]
        if let report = try actAsJcode({ try $0.dispatch(JcodeSession.say("tap_node", ["node_id": target])) }) {
            return .object(echo.merging(["report": report]) { _, new in new })
        }
        return try reporting(echo, parameters) { try tap(target, parameters) }
    }

    private func scroll(_ parameters: Parameters) throws -> JSONValue {
        let id = try parameters.needText("node_id")
        let points = try parameters.number("delta_y") ?? 0
        let node = try node(id)
        var echo: [String: JSONValue] = [
            "node_id": .string(id), "delta_y": parameters["delta_y"] ?? .integer(0), "node": node,
        ]
        // The earlier simulator only acknowledged, whatever the node.
        if jcode != nil, try layout().scrollArea(around: id) == nil { return .object(echo) }
        echo.merge(try scroll(id, by: points)) { _, new in new }
        return .object(echo)
    }

    /// - Returns: what scrolled, how far its content is moved up now, and how far it could be.
    private func scroll(_ id: String, by points: Double) throws -> [String: JSONValue] {
        let layout = try layout()
        _ = try find(id, in: layout)
        guard let area = layout.scrollArea(around: id) else {
            throw SimulatorError(.wrongInput, "\(id) does not scroll: everything is in sight.")
        }
        guard abs(points) < 1e9 else { throw SimulatorError(.badRequest, "\"delta_y\" is too far.") }
        let scrolled = layout.scrolled(id, by: Int(points.rounded()))
        change { _ in view = scrolled }
        let offset = try self.layout().scrollAreas.first { $0.id == area.id }?.offset ?? 0
        return [
            "handled": .bool(true), "area": .string(area.id), "offset": .integer(Int64(offset)),
            "max_offset": .integer(Int64(area.maxOffset)),
        ]
    }

    /// `{type, x?, y?, delta_y?}`: a tap, a swipe or a scroll at a point, or `swipe_up` and `swipe_down` by half a
    /// screen. Anything else is accepted as the earlier simulator did, and does nothing.
    private func gesture(_ parameters: Parameters) throws -> JSONValue {
        let type = try parameters.needText("type")
        var result: [String: JSONValue] = ["type": .string(type), "accepted": .bool(true), "handled": .bool(false)]
        let done: JSONValue?
        switch type {
        case "tap" where parameters["x"] != nil: done = try tapAt(parameters)
        case "swipe" where parameters["x"] != nil, "scroll" where parameters["x"] != nil:
            let (x, y) = try Self.point(parameters)
            guard let hit = try hit(x: x, y: y) else {
                throw SimulatorError(.unreachableNode, "There is nothing at \(x), \(y).")
            }
            done = .object(try scroll(hit, by: try parameters.needNumber("delta_y")))
        case "swipe_up", "swipe_down": done = try swipe(up: type == "swipe_up")
        default: done = nil
        }
        for (key, value) in done?.object ?? [:] { result[key] = value }
        return .object(result)
    }

    /// A swipe up over the middle of the screen shows what is below. Nothing happens where everything is in sight.
    private func swipe(up: Bool) throws -> JSONValue? {
        let layout = try layout()
        guard let area = layout.scrollAreas.first(where: { $0.maxOffset > 0 }) else { return nil }
        return .object(try scroll(area.id, by: Double(up ? area.window.height / 2 : -area.window.height / 2)))
    }
}
