internal import Components
internal import Cryptography
internal import ScriptEngine
internal import Wire

/// The native functions that need no host: `delay` and `crypto_random`.
///
/// They never cross a process wall. Where clock and chance are fixed, `delay` goes to the host, whose record has it.
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
            reply(PortMessage(port: port, bytes: NativeCall.reply(to: id, result, error: error)))
        }
        switch call {
        case .malformed(let id): send(id, error: "the arguments of \(port) are malformed")
        case .random(let id, let count):
            guard (0...1 << 20).contains(count) else { return send(id, error: "at most 1 MiB of random bytes at once") }
            send(id, clock?.bytes(Int(count)) ?? SecureRandom.bytes(Int(count)))
        // Most delays are none, and cost no timer.
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
        // What is no call at all nobody waits for an answer to.
        guard let call = try? NativeCall(decoding: bytes) else { return nil }
        // Both functions take one whole number in field 1.
        guard let number = call.number else { return .malformed(id: call.id) }
        return make(call.id, number)
    }
}

/// The little of the messages of function calls that is needed here.
struct NativeCall {
    var id: Int32
    var arguments: ArraySlice<UInt8>

    init(decoding bytes: [UInt8]) throws(WireError) {
        var id: Int32?
        var arguments: ArraySlice<UInt8>?
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: id = Int32(truncatingIfNeeded: try field.uint64())
            case 2: arguments = try field.slice(atMost: 1 << 20)
            default: break
            }
        }
        guard let id, let arguments else { throw WireError(.malformed, "a required field is missing") }
        self.id = id
        self.arguments = arguments
    }

    /// Field 1 of the arguments.
    var number: Int32? {
        var reader = ProtobufReader(arguments)
        guard let field = try? reader.next(), field.number == 1 else { return nil }
        return (try? field.uint64()).map { Int32(truncatingIfNeeded: $0) }
    }

    static func reply(to id: Int32, _ result: [UInt8], error: String?) -> [UInt8] {
        var writer = ByteWriter(reserving: result.count + 16)
        writer.writeByte(1 << 3)
        writer.writeVarint(UInt64(bitPattern: Int64(id)))
        writer.writeByte(2 << 3 | 2)
        writer.writeVarint(UInt64(result.count))
        writer.writeBytes(result)
        guard let error else { return writer.bytes }
        writer.writeByte(3 << 3 | 2)
        writer.writeVarint(UInt64(error.utf8.count))
        writer.writeBytes(error.utf8)
        return writer.bytes
    }
}
