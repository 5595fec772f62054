import ArkavoEvents
import Testing
import Wire

/// The first block of docs/protocols/arkavo-events.md.
@Suite struct EventSnippet {
    // swift-format-ignore
    @Test func `an event is written and read`() throws {
        let (id, sealed): ([UInt8], [UInt8]) = ([1, 2], [3])

        var cache = Arkavo.CacheEvent()
        cache.targetID = id
        cache.targetPayload = sealed
        cache.ttl = 3600
        var event = Arkavo.Event()
        event.action = .cache
        event.timestamp = 1_795_000_000
        event.data = .cache(cache)
        let bytes = try event.serialized()           // throws if it is larger than servers take
        let again = try Arkavo.Event(flatBuffer: bytes)

        #expect(again == event)
    }
}
