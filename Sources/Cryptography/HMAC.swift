internal import COpenSSL

/// Keyed message authentication (RFC 2104).
public enum HMAC {
    /// The full-length authentication code of `message`. Compare it with ``ConstantTime``.
    public static func code(
        _ message: some Collection<UInt8>,
        key: SecretBytes,
        function: HashFunction = .sha256
    ) -> [UInt8] {
        let message = Array(message)
        return [UInt8](unsafeUninitializedCapacity: function.byteCount) { output, initialized in
            message.withUnsafeBytes {
                compute($0, key: key, function: function, into: UnsafeMutableRawBufferPointer(output))
            }
            initialized = function.byteCount
        }
    }

    /// The same over a message that is a secret.
    public static func code(
        _ message: SecretBytes,
        key: SecretBytes,
        function: HashFunction = .sha256
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: function.byteCount) { output, initialized in
            message.withUnsafeBytes {
                compute($0, key: key, function: function, into: UnsafeMutableRawBufferPointer(output))
            }
            initialized = function.byteCount
        }
    }

    /// The same over several secrets in a row, for codes that are keys themselves.
    static func secretCode(_ parts: [SecretBytes], key: SecretBytes, function: HashFunction) -> SecretBytes {
        let message = SecretBytes(joining: parts)
        return SecretBytes(count: function.byteCount) { output in
            message.withUnsafeBytes { compute($0, key: key, function: function, into: output) }
        }
    }

    private static func compute(
        _ message: UnsafeRawBufferPointer,
        key: SecretBytes,
        function: HashFunction,
        into output: UnsafeMutableRawBufferPointer
    ) {
        let result = key.withUnsafeBytes { key in
            COpenSSL.HMAC(
                function.algorithm,
                key.baseAddress,
                Int32(key.count),
                message.bindMemory(to: UInt8.self).baseAddress,
                message.count,
                output.bindMemory(to: UInt8.self).baseAddress,
                nil
            )
        }
        // As with a digest, no input makes this fail.
        precondition(result != nil, "OpenSSL could not compute an HMAC")
    }
}
