/// Derives keys from shared secrets (RFC 5869).
package enum HKDF {
    /// - Parameters:
    ///   - salt: may be empty, which stands for a hash length of zeros.
    ///   - info: says what the key is for, so that one secret gives independent keys.
    ///   - count: length of the result, at most 255 digests.
    package static func derive(
        _ secret: SecretBytes,
        salt: [UInt8] = [],
        info: [UInt8],
        count: Int,
        function: HashFunction = .sha256
    ) throws(CryptographyError) -> SecretBytes {
        guard (1...255 * function.byteCount).contains(count) else {
            throw CryptographyError(.invalidLength, "HKDF gives 1 to \(255 * function.byteCount) bytes")
        }
        let extracted = extract(secret, salt: salt, function: function)
        return SecretBytes(count: count) { output in
            var previous = SecretBytes(copying: [])
            var start = 0
            var counter: UInt8 = 1
            while start < count {
                previous = expand(previous, info: info, counter: counter, key: extracted, function: function)
                let length = min(previous.count, count - start)
                previous.withUnsafeBytes { block in
                    UnsafeMutableRawBufferPointer(rebasing: output[start..<start + length])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<length]))
                }
                start += length
                counter &+= 1
            }
        }
    }

    /// The pseudorandom key: an HMAC of the secret, keyed with the salt.
    private static func extract(_ secret: SecretBytes, salt: [UInt8], function: HashFunction) -> SecretBytes {
        let key = salt.isEmpty ? [UInt8](repeating: 0, count: function.byteCount) : salt
        return HMAC.secretCode([secret], key: SecretBytes(copying: key), function: function)
    }

    private static func expand(
        _ previous: SecretBytes,
        info: [UInt8],
        counter: UInt8,
        key: SecretBytes,
        function: HashFunction
    ) -> SecretBytes {
        HMAC.secretCode([previous, SecretBytes(copying: info + [counter])], key: key, function: function)
    }
}
