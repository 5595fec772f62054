import KeyAccess
import Wire

/// Reads any bytes as everything that a key access service and its clients are sent: a token, the request in it, an answer, a
/// policy file, and a key. What is accepted of a request keeps to the limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeyAccessBodies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    if let token = try? SignedToken(text, atMost: 100_000), let key = token.claimedKey {
        _ = token.isSigned(by: key)
        precondition((try? key.thumbprint) != nil, "a key that was read has no thumbprint")
    }
    if let request = try? RewrapRequest(body: bytes, atMost: 10) {
        precondition(request.entries.reduce(0) { $0 + $1.objects.count } <= 10, "a request is larger than allowed")
    }
    _ = try? RewrapResponse(json: bytes)
    _ = try? AccessPolicy(file: bytes)
    if let jwk = try? JSONValue(bytes).object { _ = SignatureKey(jwk: jwk) }
    return 0
}
