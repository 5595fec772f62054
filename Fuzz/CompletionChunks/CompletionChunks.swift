import AgentProtocols
import Networking
import Wire

/// Reads any bytes as the answer of a model server. What is understood of an event is written and read again, and nothing may be lost; no two calls
/// share an id.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCompletionChunks(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var (reader, calls) = (ServerSentEventReader(limit: 4096), CompletionToolCalls())
    guard let events = try? reader.read(bytes) else { return 0 }
    for event in events {
        guard let chunk = try? CompletionChunk.read(event.data) else { continue }
        guard let again = try? CompletionChunk.read(JSONValue.object(chunk.object).text) else {
            fatalError("what was written is not read")
        }
        precondition(again == chunk, "an event is lost")
        for delta in chunk.toolCalls { _ = calls.add(delta) }
    }
    precondition(calls.all.count <= CompletionChunk.toolCallLimit, "too many calls")
    precondition(Set(calls.all.map(\.id)).count == calls.all.count, "two calls share an id")
    return 0
}
