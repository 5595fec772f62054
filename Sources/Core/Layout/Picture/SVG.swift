extension Scene {
    /// The scene as SVG, byte for byte the same for equal scenes: one line a primitive, with the id of its node.
    package var svg: String {
        var clips: [Rect: Int] = [:]
        var body = ""
        for layer in layers {
            body += "<g id=\"\(layer.id)\">\n"
            for primitive in layer.primitives {
                let clip = primitive.clip.map { rect in
                    let number = clips[rect] ?? clips.count
                    clips[rect] = number
                    return " clip-path=\"url(#clip-\(number))\""
                }
                body += primitive.svg(clip: clip ?? "") + "\n"
            }
            body += "</g>\n"
        }
        let definitions = clips.sorted { $0.value < $1.value }.map { rect, number in
            "<clipPath id=\"clip-\(number)\"><rect \(rect.svg)/></clipPath>\n"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(viewport.width)" height="\(viewport.height)" \
            viewBox="0 0 \(viewport.width) \(viewport.height)" role="img" aria-labelledby="title" \
            font-family="\(Theme.fontFamily)">
            <title id="title">\(XML.escaped(title))</title>

            """ + definitions.joined() + body + "</svg>\n"
    }
}

extension Scene.Primitive {
    fileprivate func svg(clip: String) -> String {
        switch self {
        case .rect(let shape):
            let radius = shape.radius > 0 ? " rx=\"\(shape.radius)\"" : ""
            let width = shape.strokeWidth.map { " stroke-width=\"\($0)\"" } ?? ""
            let stroke = shape.stroke.map { " stroke=\"\($0)\"\(width)" } ?? ""
            return "<rect \(shape.bounds.svg)\(radius) fill=\"\(shape.fill ?? "none")\"\(stroke)\(clip)"
                + " data-node=\"\(XML.escaped(shape.semanticNodeID))\"/>"
        case .text(let line):
            let weight = line.fontWeight == 400 ? "" : " font-weight=\"\(line.fontWeight)\""
            let length = line.width > 0 ? " textLength=\"\(line.width)\" lengthAdjust=\"spacingAndGlyphs\"" : ""
            // A text begins at its right end where it is read from there.
            let direction = line.direction.map { " direction=\"\($0)\"" } ?? ""
            let x = line.direction == nil ? line.x : line.x + line.width
            return "<text x=\"\(x)\" y=\"\(line.y)\" font-size=\"\(line.fontSize)\"\(weight)\(direction)"
                + " fill=\"\(line.fill)\"\(length)\(clip) data-node=\"\(XML.escaped(line.semanticNodeID))\""
                + " xml:space=\"preserve\">\(XML.escaped(line.text))</text>"
        }
    }
}

extension Rect {
    fileprivate var svg: String { "x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"" }
}

enum XML {
    /// The text for an element or an attribute in quotation marks. What XML cannot say becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            case "\t", "\n", "\r": result.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            default: result.append(scalar.isShown ? scalar : "\u{FFFD}")
            }
        }
        return String(result)
    }
}

extension Layout {
    /// The picture of what is in sight.
    package var svg: String { scene.svg }
}
