internal import COpenSSL

/// A digest over bytes that arrive piece by piece. It is a value: copies do not affect each other.
package struct IncrementalHash: Sendable {
    private var state: State
    private let function: HashFunction

    package init(_ function: HashFunction) {
        self.function = function
        state = State(function)
    }

    /// Takes more bytes.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        if !isKnownUniquelyReferenced(&state) { state = State(copying: state) }
        let contiguous: Void? = bytes.withContiguousStorageIfAvailable { state.update(UnsafeRawBufferPointer($0)) }
        if contiguous == nil { Array(bytes).withUnsafeBytes { state.update($0) } }
    }

    /// The digest of everything so far. More may follow.
    package func finalize() -> [UInt8] {
        State(copying: state).finish(byteCount: function.byteCount)
    }

    /// Owns OpenSSL's context. Sendable holds because `IncrementalHash` writes to a state only as its one owner.
    private final class State: @unchecked Sendable {
        private let context: OpaquePointer

        init(_ function: HashFunction) {
            context = Self.allocate()
            check(EVP_DigestInit_ex2(context, function.algorithm, nil))
        }

        init(copying other: State) {
            context = Self.allocate()
            check(EVP_MD_CTX_copy_ex(context, other.context))
        }

        deinit { EVP_MD_CTX_free(context) }

        func update(_ bytes: UnsafeRawBufferPointer) {
            check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
        }

        func finish(byteCount: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
                check(EVP_DigestFinal_ex(context, buffer.baseAddress, nil))
                initialized = byteCount
            }
        }

        // No input makes a digest fail. It fails only when memory runs out, which ends a Swift process anyway.
        private func check(_ result: Int32) {
            precondition(result == 1, "OpenSSL could not compute a digest")
        }

        private static func allocate() -> OpaquePointer {
            guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
            return context
        }
    }
}
