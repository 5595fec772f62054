import Wire

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
