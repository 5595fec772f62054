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
                .changeText([.retain(18, marks: [:]), .delete(7), .insert(.init("nomber "))], at: [500, 0])
            ])
    }

    @Test func aWordInEveryParagraphIsAChangeOfEach() {
        let old = RichText((0..<100).map { paragraph(.init("The colour of number \($0)")) })
        let new = RichText(
            [paragraph(.init("Spelling"))] + (0..<100).map { paragraph(.init("The color of number \($0)")) })
        let edits = RichText.difference(from: old, to: new)
        #expect(edits.count == 101)
        #expect(
            edits.dropFirst().first
                == .changeText([.retain(4, marks: [:]), .delete(7), .insert(.init("color "))], at: [1, 0]))
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

    /// What is written, what it becomes, and the only words that are taken out and put in, each with the space beside it.
    @Test(arguments: [
        ("pay 100 today", "pay 150 today", ["100 "], ["150 "]), ("100", "1000", ["100"], ["1000"]),
        ("at nine", "at noon", [" nine"], [" noon"]), ("note", "notes", ["note"], ["notes"]),
        ("notes", "note", ["notes"], ["note"]), ("12:30", "12:45", ["12:30"], ["12:45"]),
        ("on 2026-11-22.", "on 2026-11-23.", [" 2026-11-22."], [" 2026-11-23."]),
        ("3,50 €", "3,75 €", ["3,50 "], ["3,75 "]), ("don't go", "don’t go", ["don't "], ["don’t "]),
        ("costs €5", "costs $5", [" €5"], [" $5"]), ("-5 C", "5 C", ["-5 "], ["5 "]),
        ("10\u{202F}000 km", "10\u{202F}500 km", ["10\u{202F}000 "], ["10\u{202F}500 "]),
        ("10²", "10³", ["10²"], ["10³"]), ("50%", "50‰", ["50%"], ["50‰"]),
        ("2024-01-15T10:30+02:00", "2025-01-15T10:30+02:00", ["2024-01-15T10:30+02:00"], ["2025-01-15T10:30+02:00"]),
        ("v1.2-rc1 out", "v1.2-rc2 out", ["v1.2-rc1 "], ["v1.2-rc2 "]),
        ("a@b.com", "a@c.com", ["a@b.com"], ["a@c.com"]),
        ("東京へ行く", "京都へ行く", ["東京へ"], ["京都へ"]), ("食べる", "食べた", ["食べる"], ["食べた"]),
        ("カメラと", "カメレオンと", ["カメラと"], ["カメレオンと"]),
        ("서울에서 만나", "서울에 만나", ["서울에서 "], ["서울에 "]), ("١٢٣ x", "١٢٤ x", ["١٢٣ "], ["١٢٤ "]),
        ("девять!", "десять!", ["девять!"], ["десять!"]), ("one two", "one big two", [], ["big "]),
        ("see you, then", "see you then", ["you, "], ["you "]), ("हिन्दी में", "हिन्दू में", ["हिन्दी "], ["हिन्दू "]),
        ("👩‍👩‍👧👍", "👩‍👧👍", ["👩‍👩‍👧"], ["👩‍👧"]), ("a_b c", "a_d c", ["a_b "], ["a_d "]),
        ("red car now", "blue van now", ["red car "], ["blue van "]),
    ])
    func wordsAreReplacedWhole(old: String, new: String, removed: [String], added: [String]) throws {
        let edits = RichText.difference(
            from: RichText([paragraph(.init(old))]), to: RichText([paragraph(.init(new))]))
        var (taken, put): ([String], [String]) = ([], [])
        var rest = Array(old.utf16)[...]
        for case .changeText(let changes, _) in edits {
            for change in changes {
                switch change {
                case .retain(let count, _): rest = rest.dropFirst(count)
                case .delete(let count):
                    taken.append(String(decoding: rest.prefix(count), as: UTF16.self))
                    rest = rest.dropFirst(count)
                case .insert(let run): if case .text(let text) = run.content { put.append(text) }
                }
            }
        }
        #expect(taken == removed)
        #expect(put == added)
    }

    @Test func aWordOfSeveralMarksIsReplacedWhole() throws {
        let bold: [String: RichText.Value] = ["bold": .object([:])]
        let old = RichText([paragraph(.init("no", bold), .init("te that"))])
        let new = RichText([paragraph(.init("na", bold), .init("te that"))])
        #expect(
            RichText.difference(from: old, to: new) == [
                .changeText([.delete(5), .insert(.init("na", bold)), .insert(.init("te "))], at: [0, 0])
            ])
        // Marks alone do not replace it.
        let other = RichText([paragraph(.init("not", bold), .init("e that"))])
        #expect(
            RichText.difference(from: old, to: other)
                == [.changeText([.retain(2, marks: [:]), .retain(1, marks: bold)], at: [0, 0])])
    }

    @Test func marksOfOneLongWordAreComparedInLinearTime() throws {
        let bold: [String: RichText.Value] = ["bold": .object([:])]
        let text = (0..<50_000).map { $0 % 2 == 0 ? RichText.Run("ab", bold) : RichText.Run("cd") }
        let other = (0..<50_000).map { $0 % 2 == 0 ? RichText.Run("ab") : RichText.Run("cd", bold) }
        let (old, new) = (
            RichText([.element(.init("paragraph", [:], [.text(text)]))]),
            RichText([.element(.init("paragraph", [:], [.text(other)]))])
        )
        #expect(try old.applying(RichText.difference(from: old, to: new)) == new)
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
