import Foundation
import Testing

/// What a person calls rooms and people by: names that come again, names that nobody gave, names that take other cells than
/// they have characters.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NameTests {
    @Test func `who was revoked and met anew is told from who was before`() async throws {
        let fixture = try await RoomFixture()
        for round in 0..<2 {
            let (ada, ben) = try await fixture.members()
            try await RoomFixture.quit(ada, ben)
            guard round == 0 else { break }
            let revoke = try fixture.run("ada", "circle", "revoke", "Ben", "--yes", "--now", "--json")
            #expect(try await revoke.exitCode() == 0)
            #expect(revoke.lines.joined().contains("\"told\":false"))
            let again = try await RoomFixture.output(fixture.run("ada", "circle", "revoke", "Ben", "--yes", "--now"))
            #expect(again.code == 66 && again.text.contains("has ended already"))
        }
        // Whoever is trusted now is meant where trust is needed.
        let alcove = "'\(AlcoveProcess.program)'"
        let profile = "--profile '\(fixture.folder)/ada'"
        let seal = try await Shell("echo hi | \(alcove) circle seal Ben \(profile) > '\(fixture.folder)/letter'")
        #expect(seal.code == 0)
        let opened = try await Shell(
            "\(alcove) circle open --profile '\(fixture.folder)/ben' < '\(fixture.folder)/letter'")
        #expect(opened.output == "Ada: hi\n")
        #expect(
            try await RoomFixture.output(fixture.run("ada", "circle", "trust", "Ben")).text.contains("in your circle"))
        let chat = try fixture.chat("ada", "Ben")
        try await chat.expect("Looking for the other person")
        try await RoomFixture.quit(chat)

        // Where both could be meant, nobody is deleted by mistake.
        let delete = try await RoomFixture.output(fixture.run("ada", "room", "delete", "Ben"))
        #expect(delete.code == 64 && delete.text.contains("2 are called") && delete.text.contains("revoked"))
        let ids = delete.text.matches(of: /(?m)^ +([0-9a-f]{8})  Ben/).map { String($0.1) }
        try #require(ids.count == 2)
        let list = try await RoomFixture.output(fixture.run("ada", "room", "list")).text
        let old = try #require(
            ids.first { id in list.split(separator: "\n").contains { $0.contains(id) && $0.contains("revoked") } })
        #expect(try await fixture.run("ada", "room", "rename", old, "Old Ben").exitCode() == 0)
        #expect(try await fixture.run("ada", "room", "rename", "Ben", "New Ben").exitCode() == 0)

        // Two ended trusts of one name: the notice for the wrong one would tell the wrong person.
        for name in ["New Ben"] {
            #expect(try await fixture.run("ada", "room", "rename", name, "Ben").exitCode() == 0)
            #expect(try await fixture.run("ada", "circle", "revoke", "Ben", "--yes", "--now").exitCode() == 0)
        }
        let notice = try await RoomFixture.output(fixture.run("ada", "circle", "tombstones", "--notice", "Ben"))
        #expect(notice.code == 64 && notice.text.contains("2 are called"))
        let stones = try await RoomFixture.output(fixture.run("ada", "circle", "tombstones")).text
        for id in ids { #expect(stones.contains(id)) }
        let one = try await Shell("\(alcove) circle tombstones --notice \(ids[0]) \(profile) | wc -c")
        #expect(Int(one.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 100)
    }

    @Test func `a room that nobody named is called by the name that the lists print`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, code) = try await fixture.pair()
        let title = "Room \(code.prefix(6))"
        // One names the other, who does not.
        ada.type("/trust Ben")
        try await ben.expect("/trust")
        ben.type("/trust")
        for process in [ada, ben] { try await process.expect("in each other's circle now") }
        try await RoomFixture.quit(ada, ben)
        for command in [["room", "list"], ["circle", "list"]] {
            let list = try fixture.run("ben", command[0], command[1])
            #expect(try await RoomFixture.output(list).text.contains(title), "\(command)")
        }
        #expect(try await RoomFixture.output(fixture.run("ben", "circle", "trust", title)).code == 0)
        let (again, back) = (try fixture.chat("ada", "Ben"), try fixture.chat("ben", "Room", String(code.prefix(6))))
        for process in [again, back] { try await process.expect("Connected, verified") }
        // A name may come later.
        back.type("/trust Ada")
        try await RoomFixture.quit(again, back)
        #expect(try await RoomFixture.output(fixture.run("ben", "circle", "list")).text.contains("Ada"))
        let named = try AlcoveProcess(["circle", "add", "Ada", "--name", "Ada L."] + fixture.options("ben"))
        #expect(try await RoomFixture.output(named).text.contains("is called Ada L. now"))
    }

    @Test func `columns begin at the same cell, and fit into the window`() async throws {
        let fixture = try await RoomFixture()
        let long = String(repeating: "長い名前", count: 12)
        let names = ["Ben", "👩‍👩‍👧‍👦 home", "🇪🇺", "e\u{301}tude", "日本", long]
        for name in names {
            let chat = try fixture.chat("ada", "--create", "--name", name)
            chat.endInput()
            #expect(try await chat.exitCode() == 0)
            try await chat.expect("Pass on this code: ")
        }
        // As wide as a terminal shows them, in the order of the names above.
        let cells = [3, 7, 2, 5, 4, 96]
        let list = try await RoomFixture.output(fixture.run("ada", "room", "list")).text
        for (name, width) in zip(names, cells) {
            let row = try #require(list.split(separator: "\n").first { $0.contains("\(name) ") }, "\(name)")
            let blanks = row[row.firstRange(of: name)!.upperBound...].prefix { $0 == " " }.count
            #expect(width + blanks == 96 + 2, "\(name)")
        }
        let window = try TerminalProcess(["room", "list", "--profile", fixture.folder + "/ada"], columns: 72)
        #expect(await window.exitCode() == 0)
        let rows = window.text.split(whereSeparator: \.isNewline)
        #expect(rows.count == names.count, "each row is one line")
        #expect(rows.contains { $0.contains("…") && $0.contains("pending") })
        #expect(rows.filter { $0.contains("pending") }.count == names.count)
    }
}
