internal import Components
internal import Storage
internal import Wire

/// The functions of the objects that apps hold: the request is decoded at once, and the work is done where it may block.
///
/// The work throws only ``RuntimeException``. Its type does not say so because every closure would have to repeat it.
extension StorageRoot {
    func reading<Request: ComponentMessage>(
        _ work: @escaping @Sendable (Request, ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction { function(on: readingQueue, work) }

    func writing<Request: ComponentMessage>(
        _ work: @escaping @Sendable (Request, ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction { function(on: writingQueue, work) }

    /// A function that takes nothing. Whatever comes with a call is not looked at.
    func reading(_ work: @escaping @Sendable (ServiceCall) throws -> (any CallBody)?) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            try await self.run(on: self.readingQueue) { try work(call) }
        }
    }

    func writing(_ work: @escaping @Sendable (ServiceCall) throws -> (any CallBody)?) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            try await self.run(on: self.writingQueue) { try work(call) }
        }
    }

    private func function<Request: ComponentMessage>(
        on queue: BlockingQueue, _ work: @escaping @Sendable (Request, ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            let request = try Request(of: call)
            return try await self.run(on: queue) { try work(request, call) }
        }
    }
}

extension ComponentMessage {
    /// The request of a call. A missing body is one without fields.
    init(of call: ServiceCall) throws(RuntimeException) {
        do throws(WireError) {
            try self.init(decoding: call.body ?? [])
        } catch {
            throw .badArguments("the request is no \(Self.schemaName): \(error.message)")
        }
    }
}
