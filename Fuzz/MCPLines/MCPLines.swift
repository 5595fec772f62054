import AgentProtocols
import Wire

/// Reads any bytes as lines of a client of the Model Context Protocol. Whatever they are, only what was granted is listed, only known tools are called,
/// each call has an id of its own while it is under way, and every answer can be read again. The first byte says what is granted.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMCPLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return 0 }
    let offered = Set(names.enumerated().filter { first >> $0.offset & 1 == 1 }.map(\.element))
    let now = ContinuousClock.now
    var server = MCPServer(about: ["name": "a"], instructions: "", tools: tools, now: now)
    var (splitter, running) = (LineSplitter(limit: 4096), Set<JSONRPCMessage.ID>())
    for line in splitter.read(bytes.dropFirst()) {
        for step in server.receive(line, offered: offered, now: now) {
            switch step {
            case .send(let content): check(content, offered)
            case .call(let id, let tool, _):
                precondition(names.contains(tool), "an unknown tool is called")
                precondition(running.insert(id).inserted, "two calls have one id")
                precondition(running.count <= MCPLimits.calls, "too many calls are under way")
            case .cancel(let id): precondition(running.remove(id) != nil, "what does not run is cancelled")
            case .giveUp: return 0
            }
        }
    }
    for id in running { precondition(server.finish(id, .done("")).count == 1, "a call has no answer") }
    precondition(!server.isBusy, "a call is left over")
    return 0
}

private let names = ["read", "write", "run"]
private let tools = names.map { MCPTool($0, title: $0, description: $0, effect: .reads) }

private func check(_ content: JSONRPCMessage.Content, _ offered: Set<String>) {
    let message = JSONRPCMessage(content)
    if case .result(_, let value) = content, let list = value.object?["tools"], case .array(let elements) = list {
        precondition(
            Set(elements.compactMap { $0.object?.string("name") }) == offered, "not what was granted is listed")
    }
    // Without an id no reader knows what failed, and there is none where the line could not be read.
    precondition((try? JSONRPCMessage(message.line.dropLast())) != nil, "an answer cannot be read")
}
