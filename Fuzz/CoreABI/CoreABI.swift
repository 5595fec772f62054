import CAlcoveCore
import CoreABI

/// A script of calls, a line each: the first letter says which, the rest is its text. Whatever it is, the process lives
/// and every answer is an envelope.
///
/// `n` new core, `f` free, `d` dispatch, `p` platform event, `s` state, `t` tree, `l` logs, `e` drain, `x` last error;
/// a digit turns to another of ten handles, `w` makes the next call with an invented one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCoreABI(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var script = Script()
    for line in UnsafeBufferPointer(start: start, count: count).split(separator: UInt8(ascii: "\n")) {
        script.take(line)
    }
    script.end()
    return 0
}

private struct Script {
    private var cores = [OpaquePointer?](repeating: nil, count: 10)
    private var current = 0
    private var invented: OpaquePointer?

    mutating func take(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
        guard let letter = line.first else { return }
        let core = invented ?? cores[current]
        invented = nil
        let text = line.dropFirst().map(CChar.init(bitPattern:)) + [0]
        switch letter {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): current = Int(letter - UInt8(ascii: "0"))
        case UInt8(ascii: "n"):
            alcove_core_free(cores[current])
            cores[current] = alcove_core_new(text)
            if cores[current] == nil { check(alcove_core_last_error(nil)) }
        // The handle stays where it is, so that freed ones are used.
        case UInt8(ascii: "f"): alcove_core_free(core)
        case UInt8(ascii: "d"): check(alcove_core_dispatch(core, text))
        case UInt8(ascii: "p"): check(alcove_core_platform_event(core, text))
        case UInt8(ascii: "s"): check(alcove_core_state(core))
        case UInt8(ascii: "t"): check(alcove_core_tree(core))
        case UInt8(ascii: "l"): check(alcove_core_logs(core, line.dropFirst().first.map { UInt32($0) &* 7 } ?? .max))
        case UInt8(ascii: "e"): check(alcove_core_drain_effects(core))
        case UInt8(ascii: "x"): check(alcove_core_last_error(core))
        case UInt8(ascii: "w"): invented = OpaquePointer(bitPattern: text.reduce(1) { $0 &* 31 &+ Int($1) })
        default: check(alcove_core_dispatch(core, nil))
        }
    }

    func end() { for core in cores { alcove_core_free(core) } }

    private func check(_ answer: UnsafeMutablePointer<CChar>?) {
        guard let answer else { preconditionFailure("an answer is NULL") }
        let text = String(cString: answer)
        precondition(
            text.hasPrefix(#"{"ok":true,"result":"#) || text.hasPrefix(#"{"ok":false,"error":{"code":""#), text)
        precondition(text.last == "}", text)
        alcove_core_string_free(answer)
    }
}
