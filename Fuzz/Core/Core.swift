import AppCore

/// Reads lines as actions and lets them happen: whatever they are, the core lives, and what was read can be written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCore(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var core = Core()
    var number: UInt64 = 0
    for line in UnsafeBufferPointer(start: start, count: count).split(separator: UInt8(ascii: "\n")) {
        guard let action = try? JSON.decode(Action.self, from: line) else { continue }
        let written = try? JSON.encode(action)
        precondition(written.flatMap { try? JSON.decode(Action.self, from: $0) } == action, "reads differently")
        number += 1
        let time = Timestamp(milliseconds: Int64(number) * 1000)
        let input = Input(at: time, fresh: Fresh(1, number, 2, number), action: action)
        for key in core.dispatch(input).changes { _ = try? core.record(for: key) }
    }
    precondition((try? JSON.encode(core.tree)) != nil, "the tree cannot be written")
    precondition((try? JSON.encode(core.state)) != nil, "the state cannot be written")
    return 0
}
