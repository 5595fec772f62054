import Foundation

/// How a cost grows with the work, as a picture: both axes are logarithmic, so that a cost that does not grow is a level line, and one
/// that grows with the work rises by as much as it goes to the right.
struct Plot {
    /// Where a figure stands in the picture of its suite.
    struct Place: Codable, Sendable {
        /// Figures with the same line are joined.
        var line: String
        /// How much work it was.
        var size: Double
    }

    private struct Line {
        var name: String
        var points: [(size: Double, value: Double)]
    }

    private let title: String
    private let unit: String
    private let lines: [Line]

    private static let (width, height) = (760.0, 420.0)
    private static let (left, right, top, bottom) = (60.0, 210.0, 44.0, 46.0)
    /// Colours that also people tell apart who do not see all of them (Okabe and Ito).
    private static let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"]

    /// - Returns: `nil` if fewer than two of the figures in this unit have places.
    init?(_ title: String, unit: String, _ figures: [Figure]) {
        var lines: [Line] = []
        for figure in figures where figure.unit == unit && figure.value > 0 {
            guard let place = figure.place, place.size > 0 else { continue }
            let index = lines.firstIndex { $0.name == place.line } ?? lines.endIndex
            if index == lines.endIndex { lines.append(Line(name: place.line, points: [])) }
            lines[index].points.append((place.size, figure.value))
        }
        guard lines.contains(where: { $0.points.count > 1 }) else { return nil }
        (self.title, self.unit, self.lines) = (title, unit, lines)
    }

    /// Scalable Vector Graphics 1.1.
    var svg: String {
        let points = lines.flatMap(\.points)
        let sizes = Self.decades(points.map(\.size))
        let values = Self.decades(points.map(\.value))
        let x = { (size: Double) in Self.place(size, in: sizes, from: Self.left, to: Self.width - Self.right) }
        let y = { (value: Double) in Self.place(value, in: values, from: Self.height - Self.bottom, to: Self.top) }
        var parts = [
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
            Self.text(Self.left, 24, "\(title) (\(unit))", anchor: "start", weight: "bold"),
        ]
        for exponent in sizes {
            let place = x(pow(10, Double(exponent)))
            parts.append(Self.rule(place, Self.top, place, Self.height - Self.bottom))
            parts.append(Self.text(place, Self.height - Self.bottom + 20, Self.power(exponent), anchor: "middle"))
        }
        for exponent in values {
            let place = y(pow(10, Double(exponent)))
            parts.append(Self.rule(Self.left, place, Self.width - Self.right, place))
            parts.append(Self.text(Self.left - 8, place + 4, Self.power(exponent), anchor: "end"))
        }
        let names = Self.apart(lines.map { y($0.points.last?.value ?? 1) })
        for (index, line) in lines.enumerated() {
            let colour = Self.colours[index % Self.colours.count]
            let path = line.points.map { "\(Self.number(x($0.size))),\(Self.number(y($0.value)))" }
            parts.append(
                "<polyline points=\"\(path.joined(separator: " "))\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\"/>"
            )
            parts += path.map { point in
                let place = point.split(separator: ",")
                return "<circle cx=\"\(place[0])\" cy=\"\(place[1])\" r=\"3\" fill=\"\(colour)\"/>"
            }
            parts.append(
                Self.text(Self.width - Self.right + 10, names[index] + 4, line.name, anchor: "start", colour: colour))
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(Self.height))" \
            font-family="sans-serif" font-size="13" role="img" aria-label="\(title)">
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    /// The powers of ten around these values.
    private static func decades(_ values: [Double]) -> ClosedRange<Int> {
        let exponents = values.map { log10($0) }
        let low = Int((exponents.min() ?? 0).rounded(.down))
        return low...max(low + 1, Int((exponents.max() ?? 1).rounded(.up)))
    }

    private static func place(_ value: Double, in decades: ClosedRange<Int>, from start: Double, to end: Double)
        -> Double
    {
        start + (log10(value) - Double(decades.lowerBound)) / Double(decades.count - 1) * (end - start)
    }

    /// Names of lines that end at almost the same height stand below each other.
    private static func apart(_ heights: [Double]) -> [Double] {
        var places = heights
        var free = -Double.infinity
        for index in heights.indices.sorted(by: { heights[$0] < heights[$1] }) {
            places[index] = max(heights[index], free)
            free = places[index] + 17
        }
        return places
    }

    private static func power(_ exponent: Int) -> String {
        exponent >= 0
            ? String(format: "%.0f", pow(10, Double(exponent)))
            : String(format: "%.\(-exponent)f", pow(10, Double(exponent)))
    }

    private static func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<path d=\"M\(number(x1)) \(number(y1))L\(number(x2)) \(number(y2))\" stroke=\"#ddd\"/>"
    }

    private static func text(
        _ x: Double, _ y: Double, _ text: String, anchor: String, weight: String = "normal", colour: String = "#333"
    ) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\" font-weight=\"\(weight)\" fill=\"\(colour)\">\(text)</text>"
    }

    private static func number(_ value: Double) -> String { String(format: "%.4g", value) }
}
