import Wire

/// What a call or its reply carries: bytes, or a message, which is written straight into the envelope that takes it.
///
/// Many small fields are written faster by `encoded`, which is compiled for its message; a message with bytes of a file is
/// copied once less as it is.
public protocol CallBody: Sendable {
    /// How many bytes it takes.
    var encodedSize: Int { get }

    /// Writes these bytes behind the head of an envelope.
    func append(to envelope: inout [UInt8])
}

extension [UInt8]: CallBody {
    public var encodedSize: Int { count }
    public func append(to envelope: inout [UInt8]) { envelope.append(contentsOf: self) }
}

/// What came in and is passed on.
extension ArraySlice<UInt8>: CallBody {
    public var encodedSize: Int { count }
    public func append(to envelope: inout [UInt8]) { envelope.append(contentsOf: self) }
}

extension ComponentMessage {
    /// Reads the body of a request or a reply, which may be missing when all its fields may.
    ///
    /// - Throws: `invalidBody`.
    public init(body: ArraySlice<UInt8>?) throws(RuntimeException) {
        do throws(WireError) {
            try self.init(decoding: body ?? [])
        } catch {
            throw RuntimeException(ipc: .invalidBody, ["message": .string("\(Self.schemaName): \(error.message)")])
        }
    }
}
