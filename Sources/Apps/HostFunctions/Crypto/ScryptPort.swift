package import Components
internal import Cryptography
internal import Storage
internal import Synchronization

/// The port `scrypt`: keys from passwords at native speed, and word of when one begins. An addition of ours, because an engine without JIT
/// takes 30 times as long.
///
/// A call is like that of any native function, with `cryptor.Request.ScryptArgs` as arguments and the raw key as result. On the
/// way, 0 percent goes out on the port `scrypt/progress` when the work begins: the call's `ReplyWithinCall` with one byte as
/// result.
package final class ScryptPort: Sendable {
    package static let name = "scrypt"
    package static let progressName = "scrypt/progress"

    private struct State {
        var waiting = 0
        var isClosed = false
    }

    private let send: @Sendable (PortMessage) -> Void
    /// One at a time: each may take a gigabyte.
    private let queue = BlockingQueue("scrypt of a core")
    private let state = Mutex(State())

    /// Derivations that may wait for each other.
    private static let waitingLimit = 64

    /// - Parameter send: takes messages to the script, from any thread, and must not wait.
    package init(send: @escaping @Sendable (PortMessage) -> Void) { self.send = send }

    /// Takes a message of the script. False if it is for another port; one that cannot be read is ignored.
    package func receive(_ message: PortMessage) -> Bool {
        guard message.port == Self.name else { return false }
        guard let request = try? FnCallsProto.RequestWithinCallIntoAndroid(decoding: message.bytes) else { return true }
        do throws(NativeError) {
            let derivation = try ScryptDerivation(request.args)
            let isFree = state.withLock { state in
                guard state.waiting < Self.waitingLimit, !state.isClosed else { return false }
                state.waiting += 1
                return true
            }
            guard isFree else { throw .text("too many keys are being derived") }
            Task { await derive(derivation, id: request.id) }
        } catch {
            answer(request.id, .failure(error))
        }
        return true
    }

    /// Gives up what waits to be derived. Nothing is sent any more.
    package func close() { state.withLock { $0.isClosed = true } }

    private func derive(_ derivation: ScryptDerivation, id: Int32) async {
        let outcome = await queue.run { [self] () -> Result<[UInt8], NativeError> in
            guard state.withLock({ !$0.isClosed }) else { return .failure(.text("the derivation was given up")) }
            let begun = FnCallsProto.ReplyWithinCall(id: id, res: [0])
            send(PortMessage(port: Self.progressName, bytes: begun.encoded))
            return derivation.run()
        }
        state.withLock { $0.waiting -= 1 }
        answer(id, outcome)
    }

    private func answer(_ id: Int32, _ outcome: Result<[UInt8], NativeError>) {
        guard state.withLock({ !$0.isClosed }) else { return }
        let reply =
            switch outcome {
            case .success(let key): FnCallsProto.ReplyWithinCall(id: id, res: key)
            case .failure(let error): FnCallsProto.ReplyWithinCall(id: id, res: [], err: error.text)
            }
        send(PortMessage(port: Self.name, bytes: reply.encoded))
    }
}

/// One key that is to be derived.
private struct ScryptDerivation: Sendable {
    let password: SecretBytes
    let salt: [UInt8]
    let cost: Scrypt.Cost
    let count: Int

    init(_ arguments: [UInt8]) throws(NativeError) {
        guard let arguments = try? CryptorProto.Request.ScryptArgs(decoding: arguments) else {
            throw .text("the arguments cannot be read")
        }
        guard let logN = UInt8(exactly: arguments.logN), let r = UInt8(exactly: arguments.r),
            let p = UInt8(exactly: arguments.p), let cost = try? Scrypt.Cost.foreign(logN: logN, r: r, p: p)
        else { throw .text("the cost of scrypt is out of bounds") }
        password = SecretBytes(copying: arguments.passwd)
        salt = arguments.salt
        self.cost = cost
        count = Int(arguments.dkLen)
    }

    func run() -> Result<[UInt8], NativeError> {
        do throws(CryptographyError) {
            let key = try Scrypt.derive(password, salt: salt, cost: cost, count: count)
            return .success(key.withUnsafeBytes { Array($0) })
        } catch {
            return .failure(.text(error.message))
        }
    }
}
