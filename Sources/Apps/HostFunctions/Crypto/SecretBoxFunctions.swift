internal import CSodium
package import Components

/// The ports `nacl_sbox_open` and `nacl_sbox_pack`: NaCl's secret boxes, XSalsa20 with Poly1305, at native speed.
package enum SecretBoxFunctions {
    package static let functions: [String: NativeFunction] = [
        "nacl_sbox_open": .immediate { bytes throws(NativeError) in
            guard let arguments = try? NaclOpProto.OpenArgs(decoding: bytes) else { throw unreadable }
            return try open(arguments.c, nonce: arguments.n, key: arguments.k)
        },
        "nacl_sbox_pack": .immediate { bytes throws(NativeError) in
            guard let arguments = try? NaclOpProto.PackArgs(decoding: bytes) else { throw unreadable }
            return try pack(arguments.m, nonce: arguments.n, key: arguments.k)
        },
    ]

    private static let unreadable = NativeError.text("the arguments cannot be read")
    private static let tagByteCount = Int(crypto_secretbox_MACBYTES)
    /// Whether the library chose its code for this processor.
    private static let isReady = sodium_init() >= 0

    /// The plaintext of tag and cipher text; nothing if it is not authentic.
    private static func open(_ box: [UInt8], nonce: [UInt8], key: [UInt8]) throws(NativeError) -> [UInt8] {
        try check(nonce: nonce, key: key)
        guard box.count >= tagByteCount else { return [] }
        return [UInt8](unsafeUninitializedCapacity: box.count - tagByteCount) { plain, count in
            guard let start = plain.baseAddress else { return }
            let result = crypto_secretbox_open_easy(start, box, UInt64(box.count), nonce, key)
            count = result == 0 ? box.count - tagByteCount : 0
        }
    }

    private static func pack(_ plain: [UInt8], nonce: [UInt8], key: [UInt8]) throws(NativeError) -> [UInt8] {
        try check(nonce: nonce, key: key)
        let size = plain.count + tagByteCount
        return [UInt8](unsafeUninitializedCapacity: size) { box, count in
            guard let start = box.baseAddress else { return }
            crypto_secretbox_easy(start, plain, UInt64(plain.count), nonce, key)
            count = size
        }
    }

    private static func check(nonce: [UInt8], key: [UInt8]) throws(NativeError) {
        guard isReady else { throw .text("the cryptographic library cannot be started") }
        guard nonce.count == Int(crypto_secretbox_NONCEBYTES), key.count == Int(crypto_secretbox_KEYBYTES) else {
            throw .text("a nonce has 24 bytes and a key 32")
        }
    }
}
