import ArkavoEvents
import Testing
import Wire

@Suite("Events")
struct EventTests {
    @Test("Written events are read back", arguments: EventSamples.events)
    func event(value: Arkavo.Event, json: String) throws {
        #expect(try Arkavo.Event(flatBuffer: value.serialized()) == value)
    }

    @Test("Unknown values are kept")
    func unknown() throws {
        var event = Arkavo.Event()
        event.action = 100
        event.status = -3
        #expect(try Arkavo.Event(flatBuffer: event.serialized()) == event)
    }

    @Test("Unknown kinds of data are refused, so that the event is not taken for one without data")
    func unknownKind() throws {
        var event = Arkavo.Event()
        event.data = .cache(Arkavo.CacheEvent())
        var bytes = try event.serialized()
        let kind = try #require(bytes.lastIndex(of: 2))
        bytes[kind] = 9
        let error = #expect(throws: WireError.self) { try Arkavo.Event(flatBuffer: bytes) }
        #expect(error?.code == .wrongType)
    }

    @Test("An event that servers would refuse is not written")
    func tooLarge() throws {
        var cache = Arkavo.CacheEvent()
        var event = Arkavo.Event()
        cache.targetPayload = [UInt8](repeating: 1, count: 1900)
        event.data = .cache(cache)
        #expect(try event.serialized().count <= Arkavo.eventLimit)
        cache.targetPayload = [UInt8](repeating: 1, count: 2000)
        event.data = .cache(cache)
        let error = #expect(throws: WireError.self) { try event.serialized() }
        #expect(error?.code == .limitExceeded)
    }

    @Test("Limits are the same for writing and reading")
    func limits() throws {
        var metadata = Arkavo.Metadata()
        metadata.id = [UInt8](repeating: 0, count: 255)
        #expect(try Arkavo.Metadata(flatBuffer: metadata.flatBuffer()) == metadata)
        metadata.id.append(0)
        #expect(throws: WireError(.limitExceeded, "a field has more than 255 elements")) {
            try metadata.flatBuffer()
        }
    }
}
