import Cryptography
import NanoTDF

/// Reads any bytes as both kinds of key store, and asks for the keys. What is accepted is written the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeyStores(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let store = try? PublicKeyStore(bytes) {
        precondition(store.bytes == bytes, "a store is written in another way than it was read")
        _ = try? store.keys()
    }
    guard let store = try? KeyStore(SecretBytes(copying: bytes)) else { return 0 }
    precondition(store.publicKeys.compressed.count == store.count, "keys that are counted and not there")
    for key in store.publicKeys.compressed.prefix(4) {
        _ = try? store.privateKey(for: key)
        guard let rest = try? store.removing(key) else { preconditionFailure("a key cannot be taken out") }
        precondition(rest.count == store.count - 1, "a key that was taken out is still there")
    }
    return 0
}
