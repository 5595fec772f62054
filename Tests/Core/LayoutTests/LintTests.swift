import Testing

@testable import Layout

@Suite struct LintTests {
    private func rules(_ children: [ViewNode]) -> [String] {
        Lint.findings(in: Layout(of: Samples.screen(children))).map { "\($0.rule.rawValue) \($0.id)" }
    }

    @Test func aGoodScreenHasNoFindings() {
        #expect(Lint.findings(in: Layout(of: Samples.chat(5))).isEmpty)
        #expect(Lint.findings(in: Layout(of: Samples.rooms)).isEmpty)
    }

    @Test func whatAScreenReaderCannotSayIsFound() {
        #expect(rules([ViewNode("button", "b", " \u{200B}", actions: ["tap"])]) == ["missing_label b"])
        #expect(
            rules([ViewNode("text_field", "f", "", value: "typed", actions: ["set_text"])]) == ["missing_label f"])
        #expect(rules([ViewNode("button", "b", "", accessibilityLabel: "Send", actions: ["tap"])]) == [])
        #expect(rules([ViewNode("text", "t", "", value: "Words")]) == [])
        #expect(rules([ViewNode("text", "t")]) == ["missing_label t"])
    }

    @Test func idsMustBeTheirOwn() {
        #expect(rules([ViewNode("text", "a", "A"), ViewNode("text", "a", "B")]) == ["duplicate_id a"])
        #expect(rules([ViewNode("text", "", "A")]) == ["duplicate_id "])
    }

    @Test func enabledMustMeanSomething() {
        #expect(rules([ViewNode("button", "b", "B")]) == ["enabled_mismatch b"])
        #expect(rules([ViewNode("button", "b", "B", isEnabled: false, actions: ["tap"])]) == ["enabled_mismatch b"])
        #expect(rules([ViewNode("choice", "c", "C", isSelected: true)]) == [])
        #expect(rules([ViewNode("button", "b", "B", isBusy: true)]) == [])
    }

    @Test func smallTargetsAreFound() {
        let frame = { (width: Int, height: Int) in
            var frame = Layout.Frame(node: ViewNode("button", "b", "B", actions: ["tap"]), parent: nil)
            frame.bounds = Rect(x: 0, y: 0, width: width, height: height)
            return frame
        }
        #expect(Lint.targets([frame(44, 44)]).isEmpty)
        #expect(Lint.targets([frame(43, 44)]).map(\.rule) == [.smallTarget])
        #expect(Lint.targets([frame(100, 20)]).map(\.rule) == [.smallTarget])
    }

    @Test func whatCannotBeReachedIsFound() {
        var hidden = ViewNode("section", "s", "S", [ViewNode("button", "b", "B", actions: ["tap"])])
        hidden.isVisible = false
        #expect(rules([hidden]) == ["unreachable b"])
    }

    @Test func whatIsNestedTooDeeplyIsFound() {
        var deep = ViewNode("button", "deep", "B", actions: ["tap"])
        for level in 0..<40 { deep = ViewNode("item", "i\(level)", "Item", [deep]) }
        let found = rules([deep])
        #expect(found.contains("unreachable deep"))
        #expect(found.contains { $0.hasPrefix("text_overflow") })
    }

    @Test(arguments: [
        (0x000000, 0xFFFFFF, 2100), (0xFFFFFF, 0xFFFFFF, 100), (0x767676, 0xFFFFFF, 454), (0x777777, 0xFFFFFF, 447),
        (0xFF0000, 0xFFFFFF, 399),
    ]) func contrastIsThatOfWCAG(first: UInt32, second: UInt32, ratio: Int) {
        #expect(Contrast.ratio(first, second) == ratio)
        #expect(Contrast.ratio(second, first) == ratio)
    }

    @Test func lowContrastIsExplained() {
        #expect(Lint.explanation(305) == "A text has a contrast of 3.05 to 1; it takes 4.50.")
    }
}
