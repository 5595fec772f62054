internal import Components

/// What the caller of a service gets: an `RPCConnection`.
enum CallerSide {
    static func object(for pipe: ServicePipe) -> ServiceObject {
        ServiceObject(
            type: .rpcConnection,
            functions: [
                "close": .immediate { _ throws(RuntimeException) in
                    pipe.close()
                    return nil
                },
                "makeRequestReplyCall": .promise { call async throws(RuntimeException) in
                    let (method, datum) = try Self.request(call)
                    let answer = try await pipe.request(method: method, datum)
                    return try answer?.passed(to: call.connection).encoded
                },
                "startObservableCall": .observable { call, values async throws(RuntimeException) in
                    let (method, datum) = try Self.request(call)
                    try await pipe.observe(method: method, datum) { value async throws(RuntimeException) in
                        try await values.emit(value?.passed(to: call.connection).encoded ?? [])
                    }
                },
            ],
            dropped: { pipe.close() })
    }

    private static func request(_ call: ServiceCall) throws(RuntimeException) -> (method: String, Payload?) {
        let request = try RpcProto.CallStartRequestBody(body: call.body)
        guard let datum = request.req else { return (request.method, nil) }
        return (request.method, try Payload(datum, from: call.connection))
    }
}
