import Components
import Synchronization

/// A sequence of messages for both ends of the function ports: a byte that chooses end and port, a byte of length, the message.
/// The host must answer every request that it takes exactly once and with a reply that the other end can read.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFunctionCalls(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let replies = Mutex(0)
    var limits = FunctionCallLimits()
    limits.message = 64
    let host = HostPorts(
        functions: [
            "echo": .immediate { $0 },
            "fail": .immediate { arguments throws(NativeError) in
                throw NativeError(text: String(decoding: arguments, as: UTF8.self))
            },
        ], limits: limits
    ) { message in
        guard (try? FnCallsProto.ReplyWithinCall(decoding: message.bytes)) != nil else { fatalError("no reply") }
        replies.withLock { $0 += 1 }
    }
    let script = ScriptPorts(limits: limits) { message in
        guard (try? FnCallsProto.ReplyWithinCall(decoding: message.bytes)) != nil else { fatalError("no reply") }
    }
    script.expose(.immediate { $0 }, as: "f")

    var left = UnsafeBufferPointer(start: start, count: count)[...]
    var taken = 0
    while left.count >= 2 {
        let choice = left.removeFirst()
        let length = min(Int(left.removeFirst()), left.count)
        let bytes = Array(left.prefix(length))
        left = left.dropFirst(length)
        let port = ["echo", "fail", PortMessage.scriptFunctions, PortMessage.coreIPC][Int(choice & 3)]
        if choice & 4 == 0 {
            let isTaken = (try? host.receive(PortMessage(port: port, bytes: bytes))) == true
            if isTaken, port != PortMessage.scriptFunctions { taken += 1 }
        } else {
            _ = try? script.receive(PortMessage(port: port, bytes: bytes))
        }
    }
    host.close()
    script.close()
    guard replies.withLock({ $0 }) == taken else { fatalError("\(taken) requests got another number of replies") }
    return 0
}
