internal import COpenSSL

/// Keyed message authentication (RFC 2104).
package enum HMAC {
    /// The full-length authentication code of `message`. Compare it with ``ConstantTime``.
    package static func code(
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
    package static func code(
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

    /// H(K ⊕ opad ‖ H(K ⊕ ipad ‖ message)). OpenSSL's own function looks up its parts at each call, which costs several
    /// times as much as hashing a short message.
    private static func compute(
        _ message: UnsafeRawBufferPointer,
        key: SecretBytes,
        function: HashFunction,
        into output: UnsafeMutableRawBufferPointer
    ) {
        let key = key.count > function.blockByteCount ? function.digest(key) : key
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(context) }
        let digest = UnsafeMutableRawBufferPointer(rebasing: output[..<function.byteCount])
        hash(pad(key, 0x36, function), message, function, context, into: digest)
        hash(pad(key, 0x5c, function), UnsafeRawBufferPointer(digest), function, context, into: digest)
    }

    /// The key, filled up with zeros to the length of a block, each byte combined with `byte`.
    private static func pad(_ key: SecretBytes, _ byte: UInt8, _ function: HashFunction) -> SecretBytes {
        SecretBytes(count: function.blockByteCount) { block in
            key.withUnsafeBytes { block.copyMemory(from: $0) }
            for place in block.indices { block[place] ^= byte }
        }
    }

    private static func hash(
        _ block: SecretBytes, _ message: UnsafeRawBufferPointer, _ function: HashFunction, _ context: OpaquePointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        let result = block.withUnsafeBytes { block in
            EVP_DigestInit_ex2(context, function.algorithm, nil)
                & EVP_DigestUpdate(context, block.baseAddress, block.count)
                & EVP_DigestUpdate(context, message.baseAddress, message.count)
                & EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, nil)
        }
        // As with a digest, no input makes this fail.
        precondition(result == 1, "OpenSSL could not compute an HMAC")
    }
}
