import Foundation

/// How values change over seconds: panels below each other with one time axis, and a line for each of what is compared.
struct TimePlot {
    struct Line {
        var name: String
        var points: [(Double, Double)]
    }

    struct Panel {
        var title: String
        var lines: [Line]
    }

    var title: String
    var panels: [Panel]

    private static let (width, panelHeight) = (760.0, 170.0)
    private static let (left, right, top, gap) = (60.0, 180.0, 40.0, 46.0)
    private static let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

    var svg: String {
        let end = panels.flatMap(\.lines).flatMap(\.points).map(\.0).max() ?? 1
        var parts = [
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>", Self.text(Self.left, 20, title, weight: "bold"),
        ]
        for (index, panel) in panels.enumerated() {
            let above = Self.top + Double(index) * (Self.panelHeight + Self.gap)
            parts += draw(panel, above: above, seconds: max(end, 1))
        }
        let height = Self.top + Double(panels.count) * (Self.panelHeight + Self.gap)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" \
            font-family="sans-serif" font-size="13" role="img" aria-label="\(title)">
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func draw(_ panel: Panel, above: Double, seconds: Double) -> [String] {
        let most = Self.round(panel.lines.flatMap(\.points).map(\.1).max() ?? 1)
        let (bottom, end) = (above + Self.panelHeight, Self.width - Self.right)
        let x = { (time: Double) in Self.left + time / seconds * (end - Self.left) }
        let y = { (value: Double) in bottom - value / most * (Self.panelHeight - 20) }
        var parts = [Self.text(Self.left, above + 10, panel.title)]
        for share in [0, 0.25, 0.5, 0.75, 1] {
            parts.append(Self.rule(Self.left, y(most * share), end, y(most * share)))
            parts.append(Self.text(Self.left - 6, y(most * share) + 4, Self.number(most * share), anchor: "end"))
        }
        for second in 0...Int(seconds) {
            parts.append(Self.text(x(Double(second)), bottom + 16, "\(second) s", anchor: "middle"))
        }
        for (index, line) in panel.lines.enumerated() where !line.points.isEmpty {
            let colour = Self.colours[index % Self.colours.count]
            let path = line.points.map { "\(Self.number(x($0.0))),\(Self.number(y(min($0.1, most))))" }
            parts.append(
                "<polyline points=\"\(path.joined(separator: " "))\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"1.5\"/>"
            )
            parts.append(Self.text(end + 10, above + 30 + Double(index) * 18, line.name, colour: colour))
        }
        return parts
    }

    /// The next of 1, 2, 5, 10, 20…
    private static func round(_ value: Double) -> Double {
        let power = pow(10, log10(max(value, 0.001)).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= value } ?? value
    }

    private static func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<path d=\"M\(number(x1)) \(number(y1))L\(number(x2)) \(number(y2))\" stroke=\"#ddd\"/>"
    }

    private static func text(
        _ x: Double, _ y: Double, _ text: String, anchor: String = "start", weight: String = "normal",
        colour: String = "#333"
    ) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\" fill=\"\(colour)\">\(text)</text>"
    }

    private static func number(_ value: Double) -> String { String(format: "%.5g", value) }
}
