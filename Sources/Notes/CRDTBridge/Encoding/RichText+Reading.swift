internal import RichText

extension JSONCursor {
    /// A document in the form that `tree.js` gives.
    mutating func document() throws(Malformed) -> RichText { RichText(try nodes()) }

    private mutating func nodes() throws(Malformed) -> [RichText.Node] {
        var nodes: [RichText.Node] = []
        try array { cursor throws(Malformed) in nodes.append(try cursor.node()) }
        return nodes
    }

    /// Either `[name, attributes, children]` or an array of runs.
    private mutating func node() throws(Malformed) -> RichText.Node {
        try expect("[")
        guard next == UInt8(ascii: "\"") else { return .text(try runs()) }
        var element = RichText.Element(try string())
        try expect(",")
        element.attributes = try object()
        try expect(",")
        element.children = try nodes()
        try expect("]")
        return .element(element)
    }

    /// `[text, marks]` or `[[embedded value], marks]`, behind the opening bracket of the array.
    private mutating func runs() throws(Malformed) -> [RichText.Run] {
        var runs: [RichText.Run] = []
        if take("]") { return runs }
        repeat {
            try expect("[")
            let content: RichText.Run.Content
            if take("[") {
                content = .embed(try value())
                try expect("]")
            } else {
                content = .text(try string())
            }
            try expect(",")
            runs.append(RichText.Run(content: content, marks: try object()))
            try expect("]")
        } while take(",")
        try expect("]")
        return runs
    }
}
