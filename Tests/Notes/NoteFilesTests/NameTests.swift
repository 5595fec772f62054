import Testing
import Wire

@testable import NoteFiles

@Suite("Names and lines")
struct NameTests {
    @Test(
        "Identifiers are safe as file names",
        arguments: [
            ("VQ6EAOKbQdSnFkRmVUQAAA", true), ("-_-", true), ("default-note", true), ("folder-1", true), ("", false),
            ("..", false), ("a/b", false), ("a.b", false), ("é", false), ("a\0", false),
            (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ])
    func identifiers(text: String, isOne: Bool) {
        #expect(((try? NoteID(text)) != nil) == isOne)
    }

    @Test(
        "All three forms of names of logs are understood",
        arguments: [
            ("p_1.i-2.1700.crdtlog", "p_1", "i-2", 1700), ("a.b.c.5.crdtlog", "a.b", "c", 5),
            ("p_1_i_1700.crdtlog", "p_1", "i", 1700), ("i_1700.crdtlog", nil, "i", 1700),
            ("_i_1700.crdtlog", nil, "_i", 1700),
        ] as [(String, String?, String, Int64)])
    func logs(name: String, profile: String?, instance: String, time: Int64) throws {
        let log = try #require(LogName(name))
        #expect(log.profile.map(String.init) == profile && log.instance == instance && log.milliseconds == time)
    }

    @Test(
        "Other names are no logs",
        arguments: ["i.crdtlog", "_5.crdtlog", "i_x.crdtlog", "i_5.log", ".5.crdtlog", "i_-5.crdtlog"])
    func noLogs(name: String) {
        #expect(LogName(name) == nil)
    }

    @Test("A writer knows its own logs by any form of the name, and no one else's")
    func own() throws {
        let id = try WriterID("a_b")
        for name in ["a_b.a_b.7.crdtlog", "a_b_a_b_7.crdtlog", "a_b_7.crdtlog"] {
            #expect(LogName.milliseconds(of: name, by: id) == 7)
        }
        for name in [
            "a_b.other.7.crdtlog", "other.a_b.7.crdtlog", "a_b_c_7.crdtlog", "xa_b_7.crdtlog", "a_b.a_b.7.crdtlog.bak",
        ] {
            #expect(LogName.milliseconds(of: name, by: id) == nil)
        }
    }

    @Test(
        "Who writes a log of lines is in its name",
        arguments: [
            ("p.i_1.log", "i_1"), ("VQ6EAOKbQdSnFkRmVUQAAA_ios-12345678-99.log", "ios-12345678-99"), ("a_b.log", "a_b"),
            ("VQ6EAOKbQdSn_kRmVUQAAA_VQ6EAOKbQdSnFkRm_UQAAA.log", "VQ6EAOKbQdSnFkRm_UQAAA"), ("a.txt", nil),
        ] as [(String, String?)])
    func lineLogs(name: String, writer: String?) {
        #expect(LineLogName.writer(of: name)?.text == writer)
    }

    @Test("Lines of activity are read in both forms, and others are passed over")
    func activity() throws {
        let note = try NoteID("n_1")
        let writer = try WriterID("w_2")
        let entry = ActivityEntry(note: note, writer: writer, sequence: 12)
        #expect(entry.line == "n_1|w_2|12")
        #expect(ActivityEntry(line: "n_1|w_2|12") == entry && ActivityEntry(line: "n_1|w_2_12") == entry)
        for line in ["", "n", "n|x", "../n|w|1", "n|w|-1", "n|w|1x", "n|../w|1", "||"] {
            #expect(ActivityEntry(line: line[...]) == nil)
        }
    }

    @Test("Lines of deletions are read, and others are passed over")
    func deletions() throws {
        let deletion = Deletion(note: try NoteID("default-note"), time: 1700)
        #expect(deletion.line == "default-note|1700" && Deletion(line: "default-note|1700") == deletion)
        for line in ["", "n", "n|", "..|5", "n|five"] { #expect(Deletion(line: line[...]) == nil) }
    }

    @Test("A presence is JSON as other programs print it, and is read leniently")
    func presence() throws {
        let id = try WriterID("me")
        let presence = Presence(
            profile: id, instance: id, profileName: "Home", user: "anna", username: "Anna \"A\"", hostname: "box",
            platform: "linux", appVersion: "0.1", lastUpdated: 1700)
        #expect(
            String(decoding: presence.bytes, as: UTF8.self) == """
                {
                  "profileId": "me",
                  "instanceId": "me",
                  "profileName": "Home",
                  "user": "anna",
                  "username": "Anna \\"A\\"",
                  "hostname": "box",
                  "platform": "linux",
                  "appVersion": "0.1",
                  "lastUpdated": 1700
                }
                """)
        #expect(try Presence(presence.bytes) == presence)
        #expect(try Presence(Array(#"{"profileId":"p","lastUpdated":1.7e3,"more":{}}"#.utf8)).lastUpdated == 1700)
        for text in ["", "[]", "{}", #"{"profileId":"../x"}"#, #"{"profileId":1}"#] {
            #expect(throws: WireError.self) { try Presence(Array(text.utf8)) }
        }
    }
}
