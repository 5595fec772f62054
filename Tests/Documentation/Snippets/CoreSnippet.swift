import AppCore
import Scenarios
import Testing

/// The first block of docs/core.md.
@Suite struct CoreSnippet {
    // swift-format-ignore
    @Test func `a core is told, saves, asks and shows`() throws {
        var random = SystemRandomNumberGenerator()
        let now = Timestamp(milliseconds: 1_795_000_000_000)
        let room = RoomID("5f0c")
        var saved: [RecordKey: [UInt8]?] = [:]
        var performed = 0
        func save(_ key: RecordKey, _ record: [UInt8]?) { saved[key] = record }
        func perform(_ effect: Effect) { performed += 1 }
        func draw(_ tree: SemanticNode) { #expect(!tree.id.isEmpty) }

        var core = Core()
        let outcome = core.dispatch(Input(at: now, fresh: Fresh(using: &random), action: .chat(.sendText(room: room, text: "Hi"))))
        for key in outcome.changes { save(key, try core.record(for: key)) }   // first
        for effect in outcome.effects { perform(effect) }                     // then
        draw(core.tree)

        #expect(saved.count == outcome.changes.count && performed == outcome.effects.count)
    }
}
