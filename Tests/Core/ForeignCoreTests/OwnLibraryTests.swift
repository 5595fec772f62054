import AppCore
import ForeignCore
import Foundation
import ProgramRunner
import Scenarios
import Testing

/// Our own core as a library, with a Swift runtime of its own beside ours.
@Suite struct OwnLibraryTests {
    private static let library = Program.products.appending(path: "libalcove_core.so").path

    @Test(arguments: Scenario.names) func `is the same in Swift and in the library`(name: String) throws {
        let performance = try Scenario.named(name).play()
        let inSwift = performance.driver.core
        let loaded = try ForeignCore(library: Self.library, scenario: .string(name))
        #expect(loaded.dialect == .alcove)
        #expect(try loaded.tree().bytes == JSON.encode(inSwift.tree))
        #expect(try loaded.state().bytes == JSON.encode(inSwift.state))
        #expect(loaded.initialEffects == (try list(performance.driver.openEffects)))

        let replayed = try ForeignCore(library: Self.library)
        var core = Core()
        for input in performance.inputs {
            let report = try replayed.dispatch(JSON.encode(input))
            let outcome = core.dispatch(input)
            #expect(report.effects == (try list(outcome.effects)))
            #expect(report.records == (try list(core.saved(after: outcome))))
        }
        #expect(try replayed.tree().bytes == JSON.encode(inSwift.tree))
        #expect(try replayed.state().bytes == JSON.encode(inSwift.state))
    }

    @Test func `shows each view what it asks for`() throws {
        let loaded = try ForeignCore(library: Self.library, scenario: .string("verified_chat"))
        let room = try Scenario.named("verified_chat").play().driver.state.rooms[0].id
        let page: ViewID = "page"
        for action in [Action.app(.openView), .app(.becameActive), .app(.navigate(to: Screen(.chat, room: room)))] {
            let input = Input(at: Timestamp(milliseconds: 1), fresh: Fresh(1, 2, 3, 4), view: page, action: action)
            _ = try loaded.dispatch(JSON.encode(input))
        }
        #expect(loaded.hasViews)
        let shown = try loaded.tree(for: page, windows: ["chat.messages": Window.Request(before: 1, after: 0)])
        let tree = try JSON.decode(SemanticNode.self, from: JSON.encode(shown))
        #expect(tree.id == "chat" && tree.find("chat.messages")?.children.count == 1)
        #expect(throws: ForeignCoreError.self) { try loaded.tree(for: "nobody", windows: [:]) }
    }

    @Test func `two cores of one library know nothing of each other`() throws {
        let one = try ForeignCore(library: Self.library)
        let other = try ForeignCore(library: Self.library, scenario: .string("verified_chat"))
        #expect(try one.state().bytes == JSON.encode(Core().state))
        #expect(try other.state().bytes != one.state().bytes)
    }

    @Test func `refuses what is no action`() throws {
        let core = try ForeignCore(library: Self.library)
        let error = try #require(
            #expect(throws: ForeignCoreError.self) { try core.dispatch(Array(#"{"type":"fly"}"#.utf8)) })
        #expect(error.reason == "not_an_action")
    }

    private func list(_ values: [some Encodable]) throws -> [JSONValue] {
        try JSON.decode([JSONValue].self, from: JSON.encode(values))
    }
}
