internal import Components
internal import ScriptEngine

/// The native functions that need no host: `delay` and `crypto_random`.
///
/// They never cross a process sandbox. Where clock and chance are fixed, `delay` goes to the host, whose record has it.
struct LocalFunctions {
    let context: ScriptContext
    let clock: FixedClock?

    enum Call {
        case delay(id: Int32, milliseconds: Int32)
        case random(id: Int32, count: Int32)
        case malformed(id: Int32)
    }

    /// The call that a message is, if the function is one of these.
    func call(in message: PortMessage) -> Call? {
        switch message.port {
        case "delay" where clock == nil: parse(message.bytes) { .delay(id: $0, milliseconds: $1) }
        case "crypto_random": parse(message.bytes) { .random(id: $0, count: $1) }
        default: nil
        }
    }

    func answer(_ call: Call, on port: String, _ reply: @escaping (PortMessage) -> Void) {
        func send(_ id: Int32, _ result: [UInt8] = [], error: String? = nil) {
            let answer = FnCallsProto.ReplyWithinCall(id: id, res: result, err: error)
            reply(PortMessage(port: port, bytes: answer.encoded))
        }
        switch call {
        case .malformed(let id): send(id, error: "the arguments of \(port) are malformed")
        case .random(let id, let count):
            guard (0...1 << 20).contains(count) else { return send(id, error: "at most 1 MiB of random bytes at once") }
            send(id, context.configuration.random(Int(count)))
        // Most delays are zero, and need no timer.
        case .delay(let id, let milliseconds) where milliseconds <= 0: send(id)
        case .delay(let id, let milliseconds):
            do {
                try context.setTimer(after: .milliseconds(Int(milliseconds))) { send(id) }
            } catch {
                send(id, error: error.message)
            }
        }
    }

    private func parse(_ bytes: [UInt8], _ make: (Int32, Int32) -> Call) -> Call? {
        // Nobody waits for an answer to something that is not a call.
        guard let call = try? FnCallsProto.RequestWithinCallIntoAndroid(decoding: bytes) else { return nil }
        // Both functions take one whole number in field 1.
        guard let arguments = try? DelayOpProto.MillisArgs(decoding: call.args) else { return .malformed(id: call.id) }
        return make(call.id, arguments.millis)
    }
}
