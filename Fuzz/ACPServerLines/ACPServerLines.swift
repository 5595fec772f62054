import AgentProtocols
import Wire

/// Reads any bytes as lines of a client of the Agent Client Protocol. Whatever they are, each request has an id of its own while it is performed and is
/// answered once, only what was asked is answered, once, and everything that is sent can be read again. The first byte says what was asked.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzACPServerLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return 0 }
    var server = ACPServer(about: ["name": "a"], takesPictures: true)
    var (asked, running) = (Set<Int>(), Set<JSONRPCMessage.ID>())
    for _ in 0..<(first & 7) {
        let (number, step) = server.ask(
            "s", ACPToolCall(id: "c"), [.init(id: "once", name: "Allow", kind: "allow_once")])
        asked.insert(number)
        check(step)
    }
    var splitter = LineSplitter(limit: 4096)
    for line in splitter.read(bytes.dropFirst()) {
        for step in server.receive(line) {
            switch step {
            case .send: check(step)
            case .perform(let id, let request):
                precondition(running.insert(id).inserted, "two requests have one id")
                precondition(running.count <= ACPServerLimits.requests, "too many requests wait")
                check(request)
            case .withdraw(let id): precondition(running.contains(id), "what does not run is withdrawn")
            case .answered(let number, _): precondition(asked.remove(number) != nil, "what was not asked is answered")
            case .cancel: break
            case .giveUp: return 0
            }
        }
    }
    for number in asked { precondition(server.withdraw(number).count == 1, "what was asked is lost") }
    for id in running {
        for step in server.finish(id, .success(.done)) { check(step) }
        precondition(server.finish(id, .success(.done)).isEmpty, "a request is answered twice")
    }
    return 0
}

private func check(_ step: ACPServer.Step) {
    guard case .send(let content) = step else { fatalError("something else is sent") }
    precondition((try? JSONRPCMessage(JSONRPCMessage(content).line.dropLast())) != nil, "what was sent cannot be read")
}

private func check(_ request: ACPRequest) {
    switch request {
    case .begin(let folder, let servers):
        precondition(folder.hasPrefix("/") && folder.utf8.count <= ACPServerLimits.textBytes, "no folder")
        precondition(servers.allSatisfy { $0.utf8.count <= ACPServerLimits.nameBytes }, "a name is too long")
    case .goOn(_, let folder, _): precondition(folder.hasPrefix("/"), "no folder")
    case .list, .close, .delete, .prompt, .choose: break
    }
}
