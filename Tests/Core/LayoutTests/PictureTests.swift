import AppCore
import Layout
import Testing

@Suite struct PictureTests {
    private let small = ViewNode(
        "screen", "page", "Rooms & \"more\"",
        [
            ViewNode("heading", "title", "Rooms <1>"),
            ViewNode("button", "create", "New room", actions: ["tap"]),
            ViewNode("message", "m", "You", value: "Hi 👋", detail: "Seen", side: .own),
        ])

    @Test func theSVGIsThis() throws {
        let layout = Layout(of: small, viewport: try Viewport(width: 320, height: 200))
        #expect(
            layout.svg == """
                <svg xmlns="http://www.w3.org/2000/svg" width="320" height="200" viewBox="0 0 320 200" role="img" \
                aria-labelledby="title" font-family="Helvetica, Arial, Liberation Sans, sans-serif">
                <title id="title">Rooms &amp; &quot;more&quot;</title>
                <g id="background">
                <rect x="0" y="0" width="320" height="200" fill="#F6F7F9" data-node="page"/>
                </g>
                <g id="chrome">
                </g>
                <g id="content">
                <text x="16" y="40" font-size="22" font-weight="700" fill="#16191D" textLength="121" \
                lengthAdjust="spacingAndGlyphs" data-node="title" xml:space="preserve">Rooms &lt;1&gt;</text>
                <rect x="202" y="12" width="102" height="44" rx="10" fill="#E4ECFA" data-node="create"/>
                <text x="214" y="38" font-size="16" font-weight="700" fill="#1D57B8" textLength="78" \
                lengthAdjust="spacingAndGlyphs" data-node="create" xml:space="preserve">New room</text>
                <rect x="244" y="68" width="60" height="82" rx="14" fill="#1D57B8" data-node="m"/>
                <text x="256" y="88" font-size="13" fill="#D9E5FB" textLength="24" \
                lengthAdjust="spacingAndGlyphs" data-node="m" xml:space="preserve">You</text>
                <text x="256" y="113" font-size="16" fill="#FFFFFF" textLength="36" \
                lengthAdjust="spacingAndGlyphs" data-node="m" xml:space="preserve">Hi 👋</text>
                <text x="256" y="136" font-size="13" fill="#D9E5FB" textLength="31" \
                lengthAdjust="spacingAndGlyphs" data-node="m" xml:space="preserve">Seen</text>
                </g>
                </svg>

                """)
    }

    /// Each paragraph by its own first letter; numbers and signs before it do not count.
    @Test(arguments: [
        ("Hello", [false]), ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}", [true]),
        ("12, \u{645}\u{631}\u{62D}\u{628}\u{627} Ann", [true]),
        ("Ann: \u{645}\u{631}\u{62D}\u{628}\u{627}", [false]), ("\u{5D0}\nb\n\u{5D2}", [true, false, true]),
        ("123 👋", [false]), ("日本", [false]),
    ])
    func whatIsReadFromRightToLeftStandsAtTheRight(text: String, isFromRight: [Bool]) throws {
        let tree = Samples.screen([ViewNode("text", "t", text)])
        let layout = Layout(of: tree, viewport: .phone)
        let lines = layout.scene.layers.flatMap(\.primitives).compactMap { primitive -> Scene.Line? in
            if case .text(let line) = primitive, line.semanticNodeID == "t" { line } else { nil }
        }
        let bounds = try #require(layout["t"]).bounds
        #expect(lines.map { $0.direction == "rtl" } == isFromRight)
        #expect(lines.map { $0.x + $0.width == bounds.maxX } == isFromRight)
        let starts = lines.map { " x=\"\($0.direction == nil ? $0.x : $0.x + $0.width)\"" }
        for (line, start) in zip(lines, starts) {
            #expect(layout.svg.contains("<text\(start) y=\"\(line.y)\""))
        }
    }

    @Test func wrappedLinesAreReadAsTheirParagraph() {
        let words =
            String(repeating: "\u{5E9}\u{5DC}\u{5D5}\u{5DD} ", count: 40) + String(repeating: "word ", count: 40)
        let layout = Layout(of: Samples.screen([ViewNode("text", "t", words)]))
        let lines = layout.scene.layers.flatMap(\.primitives).compactMap { primitive -> String? in
            if case .text(let line) = primitive, line.semanticNodeID == "t" { line.direction ?? "ltr" } else { nil }
        }
        #expect(lines.count > 4 && Set(lines) == ["rtl"])
    }

    /// A time says which it is, also where there is room for little.
    @Test func timesSayThatTheyAreUTC() {
        let svg = Layout(of: Samples.chat(2)).svg
        #expect(svg.contains(">22:13 UTC · Delivered</text>") && svg.contains(">22:13 UTC</text>"))
    }

    @Test func onlyWhatIsInSightIsPainted() {
        let svg = Layout(of: Samples.chat(10_000)).svg
        #expect(svg.split(separator: "\n").count < 80)
        #expect(svg.contains(">Message 9999</text>"))
        #expect(!svg.contains(">Message 5000</text>"))
    }

    @Test func whatIsPartlyInSightIsClipped() throws {
        let layout = Layout(of: Samples.chat(40))
        let window = try #require(layout.scrollAreas.first).window
        let clips = Set(layout.scene.layers.flatMap(\.primitives).compactMap(\.clip))
        #expect(clips == [window])
        let definition =
            "<clipPath id=\"clip-0\"><rect x=\"0\" y=\"\(window.y)\" width=\"390\" height=\"\(window.height)\"/>"
        #expect(layout.svg.contains(definition))
    }

    @Test func whatXMLCannotSayIsReplaced() {
        let text = "a\u{0}b\u{B}c\u{FFFF}d\u{1B}[31m]]>\u{7F}"
        let svg = Layout(of: Samples.screen([ViewNode("text", "t\"'<\u{1}", text)])).svg
        #expect(svg.contains(">a\u{FFFD}b</text>"))
        #expect(svg.contains(">c\u{FFFD}d\u{FFFD}[31m]]&gt;\u{FFFD}</text>"))
        #expect(svg.contains("data-node=\"t&quot;&#39;&lt;\u{FFFD}\""))
        #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test func aSnapshotKeepsItsParts() throws {
        let snapshot = Layout(of: small).snapshot
        let json = String(decoding: try JSON.encode(snapshot), as: UTF8.self)
        #expect(
            json.hasPrefix("{\"format\":\"svg\",\"hash\":\"\(snapshot.hash)\",\"height\":844,\"layout\":{\"root\":{"))
        #expect(json.contains("\"coordinate_space\":\"logical_points_top_left\""))
        #expect(json.contains("\"schema_version\":1"))
        #expect(json.contains("\"id\":\"content\",\"primitives\":[{"))
        #expect(json.contains("\"theme\":\"alcove-1\""))
        #expect(json.contains("\"z_index\":20"))
        let kept = try JSON.decode(ExpectedSnapshot.self, from: json.utf8)
        #expect(SnapshotComparison(expected: kept, actual: snapshot).matches)
    }

    @Test(arguments: [
        ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
    ]) func theHashIsFNV1a(text: String, digits: String) {
        #expect(Snapshot.fingerprint(of: text) == "fnv1a64:" + digits)
    }

    @Test func aComparisonSaysWhere() throws {
        var other = small
        other.children[1].label = "New rooms"
        let (expected, actual) = (Layout(of: small).snapshot, Layout(of: other).snapshot)
        let kept = ExpectedSnapshot(hash: expected.hash, svg: expected.svg)
        let comparison = SnapshotComparison(expected: kept, actual: actual)
        #expect(!comparison.matches)
        let place = try #require(comparison.firstDifference)
        #expect(expected.svg.utf8.prefix(place).elementsEqual(actual.svg.utf8.prefix(place)))
        #expect(!expected.svg.utf8.prefix(place + 1).elementsEqual(actual.svg.utf8.prefix(place + 1)))
        let known = SnapshotComparison(expected: ExpectedSnapshot(hash: expected.hash), actual: actual)
        #expect(!known.matches)
        #expect(known.firstDifference == nil)
        let longer = ExpectedSnapshot(hash: "", svg: actual.svg + "x")
        #expect(SnapshotComparison(expected: longer, actual: actual).firstDifference == actual.svg.utf8.count)
    }

    @Test func aDifferenceNamesAndOutlinesWhatChanged() {
        var other = small
        other.children[1].label = "Another room"
        other.children[2] = ViewNode("message", "n", "You", value: "Hi", side: .own)
        let difference = LayoutDifference(from: Layout(of: small), to: Layout(of: other))
        #expect(difference.added == ["n"])
        #expect(difference.removed == ["m"])
        #expect(difference.changed == ["create"])
        for (colour, id) in [("#1B7F3B", "n"), ("#C0262D", "m"), ("#B26A00", "create")] {
            #expect(difference.svg.contains("stroke=\"\(colour)\" stroke-width=\"3\" data-node=\"\(id)\"/>"))
        }
        let none = LayoutDifference(from: Layout(of: small), to: Layout(of: small))
        #expect(none.added.isEmpty && none.removed.isEmpty && none.changed.isEmpty)
        #expect(none.svg.hasSuffix("<g id=\"difference\">\n</g>\n</svg>\n"))
    }

    @Test func treesOfAutomationHaveTheKeysOfTheEarlierSimulator() throws {
        let layout = Layout(of: small, state: ViewportState(focus: "create"))
        let json = String(decoding: try JSON.encode(layout.tree), as: UTF8.self)
        let button = """
            {"accessibility_label":"New room","accessibility_value":null,"bounds":{"height":44,"width":102,"x":272,"y":12},\
            "busy":false,"children":[],"enabled":true,"focused":true,"id":"create","label":"New room","reading_order":2,\
            "role":"button","selected":false,"supported_actions":["tap"],"value":null,"visible":true}
            """
        #expect(json.contains(button))
        #expect(json.hasSuffix("\"value\":null,\"visible\":true},\"screen\":\"page\"}"))
    }
}
