import Foundation
import ProgramRunner
import Rooms
import Testing

@Suite("Join codes")
struct JoinCodeTests {
    @Test("The list has 256 short words that begin differently")
    func wordList() {
        #expect(WordList.words.count == 256)
        #expect(WordList.words == WordList.words.sorted())
        #expect(WordList.words.allSatisfy { (3...6).contains($0.count) && $0.allSatisfy(\.isLowercaseASCII) })
        #expect(Set(WordList.words.map { $0.prefix(3) }).count == 256)
    }

    @Test("The page lists the words that the code has")
    func documentation() throws {
        let page = try String(
            contentsOf: Program.repository.appending(path: "docs/protocols/room-verification.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## The words\n").last)
        #expect(section.split(whereSeparator: \.isWhitespace).map(String.init) == WordList.words)
    }

    @Test("No two words differ by one letter only")
    func distance() {
        for (index, word) in WordList.words.enumerated() {
            for other in WordList.words[(index + 1)...] where abs(word.count - other.count) < 2 {
                #expect(editDistance(Array(word.utf8), Array(other.utf8)) >= 2, "\(word) and \(other)")
            }
        }
    }

    @Test(
        "Typed codes are understood",
        arguments: [
            "482913-maple-otter", "482913 Maple Otter", " 482 913 MAPLE   OTTER ", "482913–maple—otter",
            "482-913-map-ott", "482913.maple.otter", "482913 maple, otter", "482913\nmapl\totte",
        ])
    func spellings(text: String) throws {
        let code = try JoinCode(parsing: text)
        #expect(code.display == "482913-maple-otter")
        #expect(try JoinCode(parsing: code.display) == code)
    }

    @Test("Digits alone are a code without words")
    func digitsOnly() throws {
        let code = try JoinCode(parsing: "004 213")
        #expect(code.digits == "004213")
        #expect(code.words.isEmpty && code.secret == nil)
        #expect(code.display == "004213")
    }

    /// People paste the whole code where the words belong.
    @Test(arguments: [
        ("maple otter", true), ("004213-maple-otter", true), ("004 213 maple otter", true), ("", true),
        ("123456-maple-otter", false), ("004213", true), ("maple", false), ("004213-maple", false),
        ("naple otter", false),
    ]) func digitsAndWordsAreGivenApart(words: String, isCode: Bool) {
        let code = try? JoinCode(digits: "004213", words: words)
        #expect((code?.digits == "004213") == isCode)
        #expect(code.map { $0.words == ["maple", "otter"] || !words.contains("maple") } ?? !isCode)
    }

    @Test(
        "Texts that are not a code are refused with a reason",
        arguments: [
            ("", .malformed), ("48291-maple-otter", .malformed), ("4829134", .malformed), ("maple-otter", .malformed),
            ("٤٨٢٩١٣-maple-otter", .malformed), (String(repeating: "1", count: 100), .malformed),
            ("482913-maple", .wrongWordCount), ("482913-maple-otter-tiger", .wrongWordCount),
            ("482913-maple-qqq", .unknownWord(position: 2)), ("482913-ma-otter", .unknownWord(position: 1)),
            ("482913-maples-otter", .unknownWord(position: 1)),
        ] as [(String, JoinCodeError.Code)])
    func refused(text: String, reason: JoinCodeError.Code) {
        let error = #expect(throws: JoinCodeError.self) { try JoinCode(parsing: text) }
        #expect(error?.code == reason)
    }

    @Test("Fresh codes differ, and none shows its words in a log")
    func random() throws {
        let codes = (0..<50).map { _ in JoinCode.random() }
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(try JoinCode(parsing: code.display) == code)
            #expect(code.words.allSatisfy { !"\(code)".contains($0) })
            #expect(code.digits.count == 6)
        }
    }

    /// Levenshtein's distance.
    private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var row = Array(0...second.count)
        for (i, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in second.enumerated() {
                let substituted = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[second.count]
    }
}

extension Character {
    fileprivate var isLowercaseASCII: Bool { isASCII && isLowercase }
}
