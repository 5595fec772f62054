import AppCore
import ForeignCore
import Foundation
import ProgramRunner
import Scenarios
import Testing

/// Libraries that were written elsewhere: good ones, bad ones, and our own.
@Suite struct ForeignCoreTests {
    @Test(arguments: [[], ["-DLONG_NAMES"]]) func `the eight functions, by either name`(options: [String]) throws {
        try CompiledCore.with("counter", options) { library in
            let core = try ForeignCore(library: library.path, scenario: .string("connected_chat"))
            #expect(core.dialect == .jcode)
            #expect(core.initialEffects.isEmpty)
            let report = try core.dispatch(Array(#"{"type":"count"}"#.utf8))
            #expect(report.effects == [.object(["type": .string("send_message"), "text": .string("hi")])])
            #expect(try core.state().value["count"] == .integer(1))
            #expect(try core.state().value["scenario"] == .string("connected_chat"))
            #expect(try core.tree().value["screen"] == .string("chat"))
            #expect(try core.logs(limit: 7).value == .array([.integer(7)]))
            #expect(try core.platformEvent(Array("{}".utf8)).effects.isEmpty)
            #expect(code { try core.dispatch(Array("{}".utf8)) } == .refused)
            #expect(code { try core.dispatch([0]) } == .badInput)
            #expect(try library.integer("counter_strings_open") == 0)
        }
    }

    /// The lines of `docs/c-abi.md` as they stand there.
    @Test func `the page's lines in Swift work`() throws {
        func perform(_ effects: [JSONValue]) { #expect(effects.isEmpty) }
        func draw(_ tree: JSONValue) { #expect(tree["screen"] == .string("chat")) }
        try CompiledCore.with("counter") { compiled in
            let library = compiled.path
            // From the page.
            let core = try ForeignCore(library: library, scenario: .string("connected_chat"))
            let report = try core.dispatch(Array(#"{"type":"tap_node","node_id":"chat.send"}"#.utf8))
            perform(report.effects)
            draw(try core.tree().value)
        }
        let page = try String(contentsOf: Program.repository.appending(path: "docs/c-abi.md"), encoding: .utf8)
        let block = try #require(page.firstMatch(of: /(?s)```swift\n(.*?)```/)).1
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = block.split(separator: "\n").map { String(repeating: " ", count: 12) + $0 + "\n" }
        #expect(lines.count == 4 && source.contains("// From the page.\n" + lines.joined()))
    }

    @Test(
        arguments: [
            ("null", .noAnswer), ("empty", .notJSON), ("garbage", .notJSON), ("latin1", .notUTF8), ("huge", .tooLarge),
            ("deep", .tooDeep), ("bare", .unexpected), ("cut", .notJSON), ("refuses", .refused),
            ("speechless", .refused),
        ] as [(String, ForeignCoreError.Code)])
    func `what is wrong is an error`(mode: String, expected: ForeignCoreError.Code) throws {
        try CompiledCore.with("hostile") { library in
            let core = try ForeignCore(library: library.path, scenario: .string(mode))
            #expect(core.dialect == .alcove)
            #expect(code { try core.state() } == expected)
            #expect(code { try core.tree() } == expected)
            #expect(code { try core.logs(limit: 1) } == expected)
            #expect(code { try core.dispatch([]) } == expected)
            #expect(code { try core.platformEvent([]) } == expected)
            #expect(try library.integer("hostile_strings_open") == 0)
        }
    }

    @Test func `an envelope may be spelt otherwise, but means one thing`() throws {
        try CompiledCore.with("hostile") { library in
            let spaced = try ForeignCore(library: library.path, scenario: .string("spaced"))
            #expect(try spaced.state().value.array?.first?.number == 1)
            let twice = try ForeignCore(library: library.path, scenario: .string("twice"))
            // Which of two equal keys counts is for the parser to say; both readings are errors or the number.
            if let state = try? twice.state() { #expect(state.value == .integer(1)) }
        }
    }

    @Test func `a refusal carries the reason, without control characters`() throws {
        try CompiledCore.with("hostile") { library in
            let core = try ForeignCore(library: library.path, scenario: .string("refuses"))
            let error = try #require(#expect(throws: ForeignCoreError.self) { try core.state() })
            #expect(error.reason == "no[2J")
            #expect(error.message == "state: not today")
        }
    }

    @Test func `a core that cannot begin says why`() throws {
        try CompiledCore.with("hostile") { library in
            let unborn = code { try ForeignCore(library: library.path, scenario: .string("unborn")) }
            #expect(unborn == .cannotStart)
            let drains = code { try ForeignCore(library: library.path, scenario: .string("drains_text")) }
            #expect(drains == .unexpected)
        }
        try CompiledCore.with("hostile", [#"-DVERSION="{\"abi\":3}""#]) { library in
            #expect(code { try ForeignCore(library: library.path) } == .wrongVersion)
        }
    }

    @Test func `a library that is no core names what it lacks`() throws {
        try CompiledCore.with("counter", ["-Djcode_mobile_tree=other"]) { library in
            let error = try #require(
                #expect(throws: ForeignCoreError.self) { try ForeignCore(library: library.path) })
            #expect(error.code == .notACore)
            #expect(error.message.contains("lacks jcode_mobile_tree"))
        }
        #expect(code { try ForeignCore(library: "/nowhere/lib.so") } == .cannotLoad)
        #expect(code { try ForeignCore(library: #filePath) } == .cannotLoad)
    }
}

/// The code of the error that `body` throws; `nil` if it throws none of ours.
func code<Value>(_ body: () throws -> Value) -> ForeignCoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? ForeignCoreError)?.code }
}
