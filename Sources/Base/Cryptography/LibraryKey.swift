internal import COpenSSL

/// An elliptic-curve key as OpenSSL's providers hold it, for signatures and files.
final class LibraryKey: @unchecked Sendable {
    // Sendable holds because an EVP_PKEY is not changed after `init`, and OpenSSL lets threads use one at the same time.
    let pointer: OpaquePointer

    // OSSL_PKEY_PARAM_GROUP_NAME, _PUB_KEY and _PRIV_KEY at addresses that stay.
    private static let group: StaticString = "group"
    private static let pub: StaticString = "pub"
    private static let priv: StaticString = "priv"

    /// Takes over `pointer`.
    init(taking pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The key object of a public key, and of the private one if its number is given.
    convenience init(publicKey: EllipticCurve.PublicKey, scalar: OpaquePointer?) throws(CryptographyError) {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil), let builder = OSSL_PARAM_BLD_new() else {
            throw EllipticCurve.libraryFailure
        }
        defer {
            EVP_PKEY_CTX_free(context)
            OSSL_PARAM_BLD_free(builder)
        }
        let (curve, point) = (publicKey.curve.libraryName, publicKey.uncompressed)
        // The builder copies the values in `to_param`, and never the names.
        let parameters = curve.withCString { curve in
            point.withUnsafeBufferPointer { point -> UnsafeMutablePointer<OSSL_PARAM>? in
                guard OSSL_PARAM_BLD_push_utf8_string(builder, Self.group.utf8Start, curve, 0) == 1,
                    OSSL_PARAM_BLD_push_octet_string(builder, Self.pub.utf8Start, point.baseAddress, point.count) == 1,
                    scalar == nil || OSSL_PARAM_BLD_push_BN(builder, Self.priv.utf8Start, scalar) == 1
                else { return nil }
                return OSSL_PARAM_BLD_to_param(builder)
            }
        }
        guard let parameters else { throw EllipticCurve.libraryFailure }
        defer { OSSL_PARAM_free(parameters) }
        var key: OpaquePointer?
        let publicParts = OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        let selection = scalar == nil ? publicParts : publicParts | OSSL_KEYMGMT_SELECT_PRIVATE_KEY
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, selection, parameters) == 1, let key
        else { throw EllipticCurve.libraryFailure }
        self.init(taking: key)
    }

    /// The curve of the key; throws for keys of other kinds and other curves.
    var curve: EllipticCurve {
        get throws(CryptographyError) {
            var name = [CChar](repeating: 0, count: 64)
            var length = 0
            guard EVP_PKEY_is_a(pointer, "EC") == 1,
                EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1
            else {
                ERR_clear_error()
                throw CryptographyError(.unsupportedKey, "the key is not an elliptic-curve key on a named curve")
            }
            let text = String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let curve = EllipticCurve.allCases.first(where: { $0.libraryName == text }) else {
                throw CryptographyError(.unsupportedKey, "the key is on the curve \(text), which Alcove does not use")
            }
            return curve
        }
    }

    /// The private number in it, which the caller has to free.
    func privateNumber() throws(CryptographyError) -> OpaquePointer {
        var number = BN_secure_new()
        guard number != nil, EVP_PKEY_get_bn_param(pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1, let number else {
            BN_clear_free(number)
            ERR_clear_error()
            throw CryptographyError(.invalidKey, "there is no private key in it")
        }
        return number
    }

    /// The encoded public key in it.
    func publicPoint() throws(CryptographyError) -> [UInt8] {
        var bytes = try [UInt8](repeating: 0, count: curve.uncompressedByteCount)
        var length = 0
        guard EVP_PKEY_get_octet_string_param(pointer, OSSL_PKEY_PARAM_PUB_KEY, &bytes, bytes.count, &length) == 1
        else { throw EllipticCurve.libraryFailure }
        return Array(bytes.prefix(length))
    }
}
