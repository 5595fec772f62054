internal import COpenSSL

extension EllipticCurve {
    /// The x coordinate of the common point of a private scalar and a public key, as ``PrivateKey/sharedSecret(with:)``
    /// gives it. For a key that is used for this alone: its public half, which costs a quarter of an agreement, is not
    /// computed.
    public static func sharedSecret(
        of scalar: SecretBytes, with peer: PublicKey
    ) throws(CryptographyError) -> SecretBytes {
        let number = try peer.curve.number(from: scalar)
        defer { BN_clear_free(number) }
        try peer.curve.check(number)
        return try agree(number, peer)
    }

    /// The number that a scalar stands for. The caller frees it.
    func number(from scalar: SecretBytes) throws(CryptographyError) -> OpaquePointer {
        guard scalar.count == coordinateByteCount else {
            throw CryptographyError(.invalidLength, "a private key on \(name) has \(coordinateByteCount) bytes")
        }
        guard let number = BN_secure_new() else { throw Self.libraryFailure }
        let result = scalar.withUnsafeBytes {
            BN_bin2bn($0.bindMemory(to: UInt8.self).baseAddress, Int32($0.count), number)
        }
        guard result != nil else {
            BN_clear_free(number)
            throw Self.libraryFailure
        }
        return number
    }

    /// Throws unless the number lies below the order and is not zero. From here on it is handled in constant time.
    func check(_ number: OpaquePointer) throws(CryptographyError) {
        BN_set_flags(number, BN_FLG_CONSTTIME)
        guard BN_is_zero(number) == 0, BN_cmp(number, EC_GROUP_get0_order(group)) < 0 else {
            throw CryptographyError(.invalidScalar, "the number is zero or not below the group order")
        }
    }

    static func agree(_ number: OpaquePointer, _ peer: PublicKey) throws(CryptographyError) -> SecretBytes {
        let (group, count) = (peer.curve.group, peer.curve.coordinateByteCount)
        return try SecretBytes(count: count) { (output) throws(CryptographyError) in
            try withScratch { (scratch) throws(CryptographyError) in
                guard let common = EC_POINT_new(group) else { throw libraryFailure }
                defer { EC_POINT_clear_free(common) }
                BN_CTX_start(scratch)
                defer { BN_CTX_end(scratch) }
                guard let x = BN_CTX_get(scratch),
                    EC_POINT_mul(group, common, nil, peer.point, number, scratch) == 1,
                    EC_POINT_get_affine_coordinates(group, common, x, nil, scratch) == 1,
                    BN_bn2binpad(x, output.bindMemory(to: UInt8.self).baseAddress, Int32(count)) == count
                else { throw libraryFailure }
            }
        }
    }
}
