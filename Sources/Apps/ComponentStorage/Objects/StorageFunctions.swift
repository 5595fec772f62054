internal import Components
internal import Storage
internal import Wire

/// Makes functions of a storage's objects: the request is read at once, and the work is done where it may block.
///
/// The work throws only ``RuntimeException``. Its type does not say so because every closure would have to repeat it.
struct StorageFunctions: Sendable {
    let root: StorageRoot

    func reading<Request: ComponentMessage>(
        _ work: @escaping @Sendable (Request, ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction { function(on: root.reading, work) }

    func writing<Request: ComponentMessage>(
        _ work: @escaping @Sendable (Request, ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction { function(on: root.writing, work) }

    /// A function that takes nothing. Whatever comes with a call is not looked at.
    func reading(_ work: @escaping @Sendable (ServiceCall) throws -> (any CallBody)?) -> ServiceFunction {
        function(on: root.reading, work)
    }

    func writing(_ work: @escaping @Sendable (ServiceCall) throws -> (any CallBody)?) -> ServiceFunction {
        function(on: root.writing, work)
    }

    private func function<Request: ComponentMessage>(
        on queue: BlockingQueue, _ work: @escaping @Sendable (Request, ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction {
        .promise { [root] call async throws(RuntimeException) in
            let request = try Request(of: call)
            return try await root.run(on: queue) { try work(request, call) }
        }
    }

    private func function(
        on queue: BlockingQueue, _ work: @escaping @Sendable (ServiceCall) throws -> (any CallBody)?
    ) -> ServiceFunction {
        .promise { [root] call async throws(RuntimeException) in try await root.run(on: queue) { try work(call) } }
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
