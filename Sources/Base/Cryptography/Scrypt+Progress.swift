internal import COpenSSL

extension Scrypt {
    /// The same key as without progress, in no more time.
    ///
    /// - Parameter progress: is told percents of the work from time to time, ascending and at most once each; 100 is not told.
    ///   False gives the derivation up.
    /// - Returns: nil if it was given up.
    public static func derive(
        _ passphrase: SecretBytes, salt: [UInt8], cost: Cost, count: Int, progress: (_ percent: Int) -> Bool
    ) throws(CryptographyError) -> SecretBytes? {
        guard (1...1024).contains(count) else {
            throw CryptographyError(.invalidLength, "a derived key has 1 to 1024 bytes")
        }
        var isComplete = false
        let lane = 128 * Int(cost.r)
        let mixed = try SecretBytes(count: lane * Int(cost.p)) { lanes throws(CryptographyError) in
            try salt.withBytes { salt throws(CryptographyError) in try pbkdf2(passphrase, salt, into: lanes) }
            var mixer = try ScryptMixer(cost: cost)
            var percent = -1
            isComplete = (0..<Int(cost.p)).allSatisfy { index in
                mixer.mix(UnsafeMutableRawBufferPointer(rebasing: lanes[index * lane..<(index + 1) * lane])) { part in
                    let now = Int((Double(index) + part) * 100 / Double(cost.p))
                    guard now > percent else { return true }
                    percent = now
                    return progress(now)
                }
            }
        }
        guard isComplete else { return nil }
        return try SecretBytes(count: count) { output throws(CryptographyError) in
            try mixed.withUnsafeBytes { mixed throws(CryptographyError) in try pbkdf2(passphrase, mixed, into: output) }
        }
    }

    /// PBKDF2 with HMAC-SHA-256 and one round.
    private static func pbkdf2(
        _ passphrase: SecretBytes, _ salt: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CryptographyError) {
        let result = passphrase.withUnsafeBytes { passphrase in
            PKCS5_PBKDF2_HMAC(
                passphrase.bindMemory(to: CChar.self).baseAddress, Int32(passphrase.count),
                salt.bindMemory(to: UInt8.self).baseAddress, Int32(salt.count), 1, EVP_sha256(), Int32(output.count),
                output.bindMemory(to: UInt8.self).baseAddress)
        }
        guard result == 1 else { throw CryptographyError(.libraryFailure, "scrypt failed") }
    }
}

extension [UInt8] {
    /// Lends the bytes to a call that throws one kind of error.
    fileprivate func withBytes(
        _ body: (UnsafeRawBufferPointer) throws(CryptographyError) -> Void
    ) throws(CryptographyError) {
        try withUnsafeBytes { bytes in Result { () throws(CryptographyError) in try body(bytes) } }.get()
    }
}
