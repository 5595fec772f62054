import AgentProtocols
import Agents
import Errors
import Foundation
import Storage
import Testing

/// What was granted to programs, and what they had done: small files in a folder.
@Suite struct ToolGrantsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("grants-\(UUID().uuidString)")
        .path

    private func withGrants(_ body: (ToolGrants) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(ToolGrants(folder: folder))
    }

    @Test func `nothing is granted before, and everything can be taken back`() throws {
        try withGrants { grants throws in
            #expect(try grants.granted(to: "a") == [] && grants.all().isEmpty)
            #expect(try grants.grant([.readNotes], to: "a") && grants.grant([.runApps], to: "a"))
            #expect(try grants.grant([.readRooms], to: "b"))
            #expect(try grants.granted(to: "a") == [.readNotes, .runApps] && grants.granted(to: "A") == [])
            try grants.revoke([.readNotes, .draftMessages], of: "a")
            #expect(try grants.granted(to: "a") == [.runApps])
            try grants.revoke(nil, of: "a")
            #expect(try grants.all().map(\.client) == ["b"])
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/grants.json")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test func `a file that cannot be read allows nothing, and is not written over`() throws {
        try withGrants { grants throws in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for text in ["{", "[]", #"{"version":2,"clients":{"a":["read-notes"]}}"#] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/grants.json"))
                #expect(throws: FileError.self) { try grants.granted(to: "a") }
                #expect(throws: FileError.self) { try grants.grant([.readNotes], to: "a") }
                #expect(try String(contentsOfFile: folder + "/grants.json", encoding: .utf8) == text)
            }
        }
    }

    @Test func `what a later version granted is kept, and means nothing here`() throws {
        try withGrants { grants throws in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let text = #"{"version":1,"clients":{"a":["fly","read-notes"]}}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/grants.json"))
            #expect(try grants.granted(to: "a") == [.readNotes])
            try grants.revoke([.readNotes], of: "a")
            #expect(try String(contentsOfFile: folder + "/grants.json", encoding: .utf8).contains("fly"))
        }
    }

    @Test func `there are only so many programs`() throws {
        try withGrants { grants throws in
            for number in 0..<ToolGrants.clients { #expect(try grants.grant([.readNotes], to: "\(number)")) }
            #expect(try !grants.grant([.readNotes], to: "more") && grants.grant([.runApps], to: "0"))
        }
    }

    @Test(arguments: [
        ("helper", true), ("Überall 2", true), ("", false), (" a", false), ("a\n", false), ("a\u{202E}b", false),
        ("a\u{200B}", false), (String(repeating: "a", count: 129), false),
    ])
    func `a name looks like what it is`(name: String, isOne: Bool) { #expect(ToolGrants.isName(name) == isOne) }

    @Test func `the log has its newest entries, in bounded files`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = ToolLog(folder: folder)
        #expect(log.last(5).isEmpty && log.isWritable)
        func entry(_ about: String) -> ToolLog.Entry {
            .init(at: Date(timeIntervalSince1970: 0), client: "a", says: nil, tool: "t", about: about, outcome: .done)
        }
        let filler = String(repeating: "x", count: 200_000)
        for number in 0..<12 { try log.append(entry("\(number)\(filler)")) }
        try log.append(entry("last\n"))
        #expect(log.last(2).map { $0.about?.prefix(5) } == ["11xxx", "last\n"])
        #expect(log.last(1) == [entry("last\n")] && log.last(1).first?.at == "1970-01-01T00:00:00Z")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("used.log") }
        let sizes = try files.map {
            try FileManager.default.attributesOfItem(atPath: folder + "/" + $0)[.size] as? Int ?? 0
        }
        #expect(sizes.count == 2 && sizes.allSatisfy { $0 <= ToolLog.fileBytes })
    }

    @Test func `several programs write at once, and nothing of the newest is lost`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (folder, writers, each) = (folder, 6, 40)
        // So long that the log is put aside again and again meanwhile.
        let filler = String(repeating: "x", count: 9000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    let (log, grants) = (ToolLog(folder: folder), ToolGrants(folder: folder))
                    for number in 0..<each {
                        #expect(log.isWritable)
                        try log.append(
                            .init(client: "\(writer)", says: filler, tool: "t", about: "\(number)", outcome: .done))
                        _ = try grants.grant([.readNotes], to: "\(writer) \(number % 5)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = ToolLog(folder: folder).last(writers * each)
        // More than one file has, and all of them whole: those that are there are the newest of each writer, in order.
        #expect(all.count * 9000 > ToolLog.fileBytes)
        for writer in 0..<writers {
            let numbers = all.filter { $0.client == "\(writer)" }.compactMap { $0.about.flatMap { Int($0) } }
            #expect(numbers == Array((each - numbers.count)..<each), "writer \(writer)")
        }
        #expect(try ToolGrants(folder: folder).all().count == writers * 5)
    }

    @Test func `each tool has its grant, and every grant a tool`() {
        #expect(Set(AlcoveTool.allCases.map(\.grant)) == Set(ToolGrant.allCases))
        for tool in AlcoveTool.allCases { #expect(tool.description.name == tool.rawValue) }
    }
}
