internal import Components

/// What a service gets for each of its callers: an `IncomingConnection`.
enum ServiceSide {
    static func object(for pipe: ServicePipe) -> ServiceObject {
        ServiceObject(
            type: .incomingConnection,
            functions: [
                "close": .immediate { _ throws(RuntimeException) in
                    pipe.close()
                    return nil
                },
                "send": .promise { call async throws(RuntimeException) in
                    let message = try RpcProto.OutgoingMsg(body: call.body)
                    try await pipe.answer(call: message.callNum, Self.answer(message, from: call.connection))
                    return nil
                },
                "watch": .observable { call, values async throws(RuntimeException) in
                    try await pipe.watch { incoming async throws(RuntimeException) in
                        try await values.emit(Self.message(incoming, for: call.connection).encoded)
                    }
                },
            ],
            dropped: { pipe.close() })
    }

    private static func answer(
        _ message: RpcProto.OutgoingMsg, from connection: ObjectConnection
    ) throws(RuntimeException) -> ServicePipe.Answer {
        func datum() throws(RuntimeException) -> Payload? {
            guard let data = message.data else { return nil }
            return try Payload(data, from: connection)
        }
        switch message.callStatus {
        case "interim": return .interim(try datum())
        case "end": return .end(try datum())
        case "error":
            return .error(RuntimeException(errorValue: (message.err ?? CommonProto.ErrorValue()).encoded[...]))
        default: throw ServicePipe.exception("unknownCallStatus")
        }
    }

    private static func message(
        _ incoming: ServicePipe.Incoming, for connection: ObjectConnection
    ) throws(RuntimeException) -> RpcProto.IncomingMsg {
        switch incoming {
        case .cancel(let call): return RpcProto.IncomingMsg(msgType: "cancel", callNum: call)
        case .start(let call, let method, let datum):
            return RpcProto.IncomingMsg(
                msgType: "start", callNum: call, method: method, data: try datum?.passed(to: connection))
        }
    }
}
