import Components
import Synchronization

/// Plays the input as what the other side of a connection sends, and as what its owner does meanwhile. Nothing traps, nothing grows
/// beyond its limit, no call is answered twice, and no handler hears of its end twice.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzObjectIPC(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let script = Script(UnsafeBufferPointer(start: start, count: count))
    script.play()
    return 0
}

private final class Script {
    private var input: ArraySlice<UInt8>
    private let tally = Tally()
    private let connection: ObjectConnection
    private var references: [CommonProto.ObjectReference] = []
    private var proxies: [RemoteObject] = []
    private var numbers: [UInt64] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        input = Array(bytes)[...]
        var limits = ConnectionLimits()
        limits.objects = 8
        limits.calls = 4
        limits.observables = 4
        limits.outstanding = 8
        limits.unsent = 200
        limits.backlog = 100_000
        limits.message = 4096
        let tally = tally
        connection = ObjectConnection(root: root, limits: limits) {
            tally.sent($0)
        } closed: { _ in
            tally.closed()
        }
    }

    private func byte() -> UInt8 { input.popFirst() ?? 0 }

    private func bytes() -> [UInt8] {
        let count = Int(byte())
        defer { input = input.dropFirst(count) }
        return Array(input.prefix(count))
    }

    func play() {
        while !input.isEmpty {
            step()
            precondition(connection.exposedCount <= connection.limits.objects, "too many objects are exposed")
        }
        connection.close()
        precondition(connection.exposedCount == 0, "objects outlive their connection")
        tally.check()
    }

    private func step() {
        switch byte() % 10 {
        case 0: receive(bytes())
        case 1, 2, 3, 4: receive(envelope())
        case 5: expose()
        case 6: call()
        case 7: if let number = numbers.popLast() { connection.cancel(number) }
        case 8: connection.reportBacklog(Int(byte()) * 4)
        default: if let proxy = try? connection.remote(reference(), as: .file) { proxies = [proxy] + proxies.prefix(3) }
        }
    }

    private func receive(_ bytes: [UInt8]) {
        if let envelope = try? IpcProto.Envelope(decoding: bytes), let number = envelope.headers?.fnCallNum?.value {
            tally.received(number)
        }
        connection.receive(bytes)
    }

    private func envelope() -> [UInt8] {
        let kinds = ["start", "start", "start", "end", "interim", "error", "cancel", "drop", "list-obj", "other"]
        let kind = kinds[Int(byte()) % kinds.count]
        let number = kind == "drop" ? nil : UInt64(byte() % 12)
        let names = ["w3n", "echo", "work", "watch", "give", "take", "v", "stat"]
        var path: [String] = []
        for _ in 0..<byte() % 4 {
            let name = byte()
            path.append(name < 200 ? names[Int(name) % names.count] : reference(name).path.first ?? "")
        }
        return IpcProto.Envelope(
            headers: .init(msgType: kind, fnCallNum: number.map { .init(value: $0) }, path: path),
            body: byte() % 3 == 0 ? nil : .init(value: bytes())
        ).encoded
    }

    private func reference(_ choice: UInt8? = nil) -> CommonProto.ObjectReference {
        let choice = Int(choice ?? byte())
        if references.isEmpty || choice % 3 == 0 { return .init(objType: "FileImpl", path: ["\(choice)"]) }
        return references[choice % references.count]
    }

    private func expose() {
        let file = ServiceObject(type: .file, functions: ["stat": .immediate { _ in [7] }], dropped: tally.exposed())
        if let reference = try? connection.expose(file) { references = [reference] + references.prefix(7) }
        if byte() % 4 == 0, let reference = references.last { connection.withdraw(reference) }
        if let object = try? connection.exposed(reference(), as: .file) { precondition(object.type == .file) }
    }

    private func call() {
        let end = tally.called()
        let number = connection.observe(["w3n", "f"], bytes()) { _ in
        } end: { _ in
            end()
        }
        if let number { numbers.append(number) }
    }
}

private let root = ServiceObject(
    functions: [
        "echo": .immediateValues { arguments, _ in arguments.first },
        "work": .promise { call in call.body.map(Array.init) },
        "watch": .observable { call, emitter throws(RuntimeException) in
            for byte in call.body ?? [] { try await emitter.emit([byte]) }
        },
        "give": .immediate { call throws(RuntimeException) in
            try call.connection.expose(ServiceObject(type: .fs)).encoded
        },
        "take": .immediate { call throws(RuntimeException) in
            let reference = try CommonProto.ObjectReference(body: call.body)
            return try call.connection.exposed(reference, as: .file).names.first.map { Array($0.utf8) }
        },
    ],
    members: ["v": ServiceObject(call: .promise { _ throws(RuntimeException) in throw RuntimeException(plain: "v") })])

/// Counts what must balance.
private final class Tally: Sendable {
    private struct State {
        var asked: [UInt64: Int] = [:]
        var ends = 0
        var exposed = 0
        var dropped = 0
    }

    private let state = Mutex(State())

    func received(_ number: UInt64) { state.withLock { $0.asked[number, default: 0] += 1 } }

    /// An answer belongs to a question.
    func sent(_ bytes: [UInt8]) {
        guard let envelope = try? IpcProto.Envelope(decoding: bytes), let headers = envelope.headers else {
            preconditionFailure("what is sent cannot be read")
        }
        guard headers.msgType == "end" || headers.msgType == "error" else { return }
        guard let number = headers.fnCallNum?.value else { preconditionFailure("an answer has no number") }
        state.withLock { state in
            let left = state.asked[number, default: 0]
            precondition(left > 0, "a call was answered twice")
            state.asked[number] = left - 1
        }
    }

    func called() -> @Sendable () -> Void {
        let hasEnded = Mutex(false)
        return {
            let wasEnded = hasEnded.withLock { hasEnded in
                defer { hasEnded = true }
                return hasEnded
            }
            precondition(!wasEnded, "a call ended twice")
        }
    }

    func closed() {
        let ends = state.withLock { state in
            state.ends += 1
            return state.ends
        }
        precondition(ends == 1, "a connection ended twice")
    }

    func exposed() -> @Sendable () -> Void {
        state.withLock { $0.exposed += 1 }
        return { [self] in state.withLock { $0.dropped += 1 } }
    }

    func check() {
        state.withLock { state in
            precondition(state.ends == 1, "a connection did not end")
            precondition(state.exposed == state.dropped, "an object was not dropped, or twice")
        }
    }
}
