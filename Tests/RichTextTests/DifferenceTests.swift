import RichText
import Testing

@Suite struct DifferenceTests {
    @Test(arguments: 0..<40) func editsLeadFromOneDocumentToTheOther(seed: Int) throws {
        var writer = Writer(seed: seed)
        for _ in 0..<25 {
            let old = writer.chance(30) ? writer.foreign() : writer.document()
            let new = writer.chance(20) ? writer.document() : writer.changed(old)
            let edits = RichText.difference(from: old, to: new)
            #expect(try old.applying(edits).normalized == new.normalized)
        }
    }

    @Test func aWordInALongNoteIsOneSmallChange() {
        var blocks = (0..<1000).map { paragraph(.init("This is paragraph number \($0) of many")) }
        let old = RichText(blocks)
        blocks[500] = paragraph(.init("This is paragraph nomber 500 of many"))
        let edits = RichText.difference(from: old, to: RichText(blocks))
        #expect(
            edits == [
                .changeText([.retain(19, marks: [:]), .delete(1), .insert(.init("o"))], at: [500, 0])
            ])
    }

    @Test func aWordInEveryParagraphIsAChangeOfEach() {
        let old = RichText((0..<100).map { paragraph(.init("The colour of number \($0)")) })
        let new = RichText(
            [paragraph(.init("Spelling"))] + (0..<100).map { paragraph(.init("The color of number \($0)")) })
        let edits = RichText.difference(from: old, to: new)
        #expect(edits.count == 101)
        #expect(edits.dropFirst().first == .changeText([.retain(8, marks: [:]), .delete(1)], at: [1, 0]))
    }

    @Test func aBlockMovesAlone() {
        let blocks = (0..<20).map { paragraph(.init("Paragraph \($0)")) }
        let moved = Array(blocks[1...]) + [blocks[0]]
        #expect(
            RichText.difference(from: RichText(blocks), to: RichText(moved))
                == [.remove(1, at: [0]), .insert([blocks[0]], at: [19])])
    }

    @Test func marksChangeWithoutTheText() {
        let old = RichText([paragraph(.init("make it bold", ["italic": .object([:])]))])
        let new = RichText([
            paragraph(.init("make it "), .init("bold", ["bold": .object([:]), "italic": .object([:])]))
        ])
        #expect(
            RichText.difference(from: old, to: new) == [
                .changeText(
                    [.retain(8, marks: ["italic": .null]), .retain(4, marks: ["bold": .object([:])])], at: [0, 0])
            ])
    }

    @Test(arguments: [("😀", "😁"), ("a😀b", "a😀😁b"), ("👩‍👩‍👧", "👩‍👧"), ("e\u{301}", "e\u{300}"), ("日本語", "日本国語")])
    func charactersAreNeverCut(old: String, new: String) throws {
        let (old, new) = (RichText([paragraph(.init(old))]), RichText([paragraph(.init(new))]))
        let edits = RichText.difference(from: old, to: new)
        #expect(try old.applying(edits) == new)
        #expect(!edits.isEmpty)
    }

    @Test func decompositionOfACharacterIsAChangeOfTheTextAroundIt() throws {
        let old = RichText([paragraph(.init("caf\u{e9} one"))])
        let edits = RichText.difference(from: old, to: RichText([paragraph(.init("cafe\u{301} two"))]))
        let text = try #require(try old.applying(edits)[[0, 0]])
        guard case .text(let runs) = text, case .text(let string) = runs[0].content else {
            Issue.record("no text")
            return
        }
        #expect(Array(string.utf16) == Array("cafe\u{301} two".utf16))
    }

    @Test func noteWithEverythingChangedStaysCheap() throws {
        let old = RichText((0..<3_000).map { paragraph(.init("old line \($0) with some words in it")) })
        let new = RichText((0..<3_000).map { paragraph(.init("new text \($0 * 7) that has other words")) })
        let edits = RichText.difference(from: old, to: new)
        #expect(edits.count <= 3_000)
        #expect(try old.applying(edits) == new)
    }

    @Test(arguments: [
        RichText.Edit.remove(2, at: [0]), .remove(1, at: []), .insert([], at: [2]), .insert([], at: [-1]),
        .setAttribute("x", nil, at: [0, 0]), .changeText([], at: [0]), .changeText([.delete(3)], at: [0, 0]),
        .changeText([.delete(1)], at: [0, 0]), .changeText([.retain(-1, marks: [:])], at: [0, 0]),
        .remove(.max, at: [1]),
    ])
    func editsThatDoNotFitAreRefused(edit: RichText.Edit) {
        let document = RichText([paragraph(.init("😀"))])
        #expect(throws: RichText.EditError.self) { try document.applying([edit]) }
    }
}
