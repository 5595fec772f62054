import AgentProtocols
import Wire

/// Reads any bytes as lines of an agent, at once and in pieces: both must come to the same. What is understood of a line is written and read again,
/// and nothing may be lost. The first byte is the size of the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAgentLines(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let size = bytes.first.map({ 1 + Int($0) }) else { return 0 }
    let lines = read(bytes.dropFirst(), pieces: count)
    precondition(lines == read(bytes.dropFirst(), pieces: size), "the lines depend on how they come")
    for case .complete(let line) in lines {
        guard let message = try? JSONRPCMessage(line) else { continue }
        guard let again = try? JSONRPCMessage(message.line.dropLast()) else {
            fatalError("what was written is not read")
        }
        precondition(again == message, "a message is lost")
        understand(message)
    }
    return 0
}

private let limit = 4096

private func read(_ bytes: ArraySlice<UInt8>, pieces size: Int) -> [LineSplitter.Line] {
    var (splitter, lines, rest) = (LineSplitter(limit: limit), [LineSplitter.Line](), bytes)
    while !rest.isEmpty {
        lines += splitter.read(rest.prefix(size))
        precondition(splitter.heldBytes <= limit, "too much is held")
        rest = rest.dropFirst(size)
    }
    return lines
}

private func understand(_ message: JSONRPCMessage) {
    switch message.content {
    case .notification(let name, let parameters), .request(_, let name, let parameters):
        guard let method = ACPMethod(rawValue: name), (try? method.check(parameters: parameters)) != nil else { return }
        if let update = parameters["update"]?.object, let read = try? ACPUpdate(update) {
            precondition(read.object == update, "an update is lost")
        }
        guard method == .sessionRequestPermission, let request = try? ACPPermissionRequest(parameters) else { return }
        precondition(Set(request.options.map(\.id)).count == request.options.count, "two answers have one id")
    case .result(_, let value):
        for method in ACPMethod.allCases { _ = try? method.check(result: value) }
    case .failure: break
    }
}
