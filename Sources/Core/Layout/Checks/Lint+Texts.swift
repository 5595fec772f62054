extension Lint {
    /// Texts that are hard to see or not there in full.
    static func texts(of layout: Layout) -> [Finding] {
        guard layout.root.isVisible else { return [] }
        var findings: [Finding] = []
        visit(layout.fragment, x: 0, node: 0, on: .paper) { node, block, x, width, background in
            let id = layout.frames[node].id
            let contrast = Contrast.ratio(block.ink.rgb, background.rgb)
            if contrast < Contrast.least {
                findings.append(Finding(.contrast, id, explanation(contrast)))
            }
            let needed = block.size(within: width).width
            if needed > width || x + needed > layout.viewport.width {
                findings.append(
                    Finding(.textOverflow, id, "A text does not fit across the screen. Nest it less deeply."))
            }
        }
        return findings
    }

    static func explanation(_ contrast: Int) -> String {
        let hundredths = contrast % 100
        return "A text has a contrast of \(contrast / 100).\(hundredths < 10 ? "0" : "")\(hundredths) to 1;"
            + " it takes \(Contrast.least / 100).\(Contrast.least % 100)."
    }

    /// Calls `body` with every text, the number of its node, where it begins, its width and what is painted below it.
    private static func visit(
        _ fragment: Fragment, x: Int, node: Int, on background: Ink, _ body: (Int, TextBlock, Int, Int, Ink) -> Void
    ) {
        let x = x + fragment.x
        let node = fragment.node ?? node
        let background = fragment.surface?.fill ?? background
        if let block = fragment.text { body(node, block, x, fragment.width, background) }
        for child in fragment.children { visit(child, x: x, node: node, on: background, body) }
    }
}
