internal import Components
internal import Storage
internal import Wire

extension FileError {
    /// As it goes over a port. The script knows the path and fills it in; paths of this machine are not told.
    var exception: RuntimeException {
        RuntimeException(type: "file", ["code": .string(code.name), "path": ""])
    }
}

/// Makes native functions of what is done with the arguments of files.
struct FileFunctions {
    /// Runs what may take long.
    let queue: BlockingQueue
    private(set) var byPort: [String: NativeFunction] = [:]

    init(queue: BlockingQueue) { self.queue = queue }

    /// For what is done in microseconds.
    mutating func quick<Arguments: ComponentMessage>(
        _ port: String, _ body: @escaping @Sendable (Arguments) throws(FileError) -> [UInt8]
    ) {
        byPort[port] = .immediate { bytes throws(NativeError) in try Self.call(body, Self.arguments(bytes)) }
    }

    /// For what moves much, or waits for the disk.
    mutating func slow<Arguments: ComponentMessage>(
        _ port: String, _ body: @escaping @Sendable (Arguments) throws(FileError) -> [UInt8]
    ) {
        slow(port, reading: { (bytes) throws(WireError) in try Arguments(decoding: bytes) }, body)
    }

    /// The same, with arguments that are read in a way of their own.
    mutating func slow<Arguments>(
        _ port: String, reading read: @escaping @Sendable ([UInt8]) throws(WireError) -> Arguments,
        _ body: @escaping @Sendable (Arguments) throws(FileError) -> [UInt8]
    ) {
        byPort[port] = .promise { [queue] bytes async throws(NativeError) in
            try await queue.run {
                Result { () throws(NativeError) in try Self.call(body, Self.arguments(bytes, read)) }
            }.get()
        }
    }

    /// For what may take long and opens a file as a flag says.
    mutating func slow<Arguments: ComponentMessage>(
        _ port: String, flag: @escaping @Sendable (Arguments) -> String,
        _ body: @escaping @Sendable (Arguments, ConfinedFolder.Opening) throws(FileError) -> [UInt8]
    ) {
        byPort[port] = .promise { [queue] bytes async throws(NativeError) in
            let arguments: Arguments = try Self.arguments(bytes)
            guard let opening = OpenFlag(flag(arguments))?.opening else {
                throw .text("there is no flag \(flag(arguments).prefix(20)) for opening files")
            }
            return try await queue.run {
                Result { () throws(NativeError) in
                    try Self.call({ (arguments) throws(FileError) in try body(arguments, opening) }, arguments)
                }
            }.get()
        }
    }

    private static func arguments<Arguments: ComponentMessage>(_ bytes: [UInt8]) throws(NativeError) -> Arguments {
        try arguments(bytes) { (bytes) throws(WireError) in try Arguments(decoding: bytes) }
    }

    private static func arguments<Arguments>(
        _ bytes: [UInt8], _ read: ([UInt8]) throws(WireError) -> Arguments
    ) throws(NativeError) -> Arguments {
        do throws(WireError) { return try read(bytes) } catch { throw .text("the arguments cannot be read") }
    }

    private static func call<Arguments>(
        _ body: (Arguments) throws(FileError) -> [UInt8], _ arguments: Arguments
    ) throws(NativeError) -> [UInt8] {
        do throws(FileError) { return try body(arguments) } catch { throw .exception(error.exception) }
    }
}
