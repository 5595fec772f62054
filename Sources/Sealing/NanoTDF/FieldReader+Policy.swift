internal import Cryptography

extension FieldReader {
    mutating func policy(keyCurve curve: EllipticCurve) throws(NanoTDFError) -> NanoTDF.Policy {
        let code = try number(1, "policy kind")
        let names = ["remote", "plain", "encrypted", "encrypted, with a key access of its own"]
        guard names.indices.contains(code) else { throw invalid(1, "there is no kind of policy \(code)") }
        explain(names[code])
        guard code > 0 else {
            return .remote(
                try locator(
                    kind: "policy address kind", length: "policy address length", body: "policy address",
                    key: "policy key id"))
        }
        let count = try number(2, "policy length")
        explain("\(count) bytes")
        let content = try bytes(count, "policy")
        guard code > 1 else {
            explain(String(decoding: content, as: UTF8.self))
            return .plain(content)
        }
        guard code > 2 else { return .encrypted(content) }
        let locator = try locator(
            kind: "policy KAS kind", length: "policy KAS length", body: "policy KAS address", key: "policy KAS key id")
        let key = try key(on: curve, "policy ephemeral key")
        return .encryptedWithKeyAccess(content, NanoTDF.KeyAccess(locator: locator, publicKey: key))
    }

    mutating func signatureBinding(
        on curve: EllipticCurve, as form: NanoTDFParser.BindingForm
    ) throws(NanoTDFError) -> NanoTDF.Binding {
        switch form {
        case .fixed:
            return .signature(try bytes(curve.signatureByteCount, "policy binding"))
        case .prefixed:
            let r = try half("length of r", "policy binding, r", on: curve)
            return .prefixedSignature(r + (try half("length of s", "policy binding, s", on: curve)))
        }
    }

    /// Half a signature with its length before it.
    private mutating func half(
        _ length: StaticString, _ name: StaticString, on curve: EllipticCurve
    ) throws(NanoTDFError) -> [UInt8] {
        let count = try number(1, length)
        guard (1...curve.coordinateByteCount).contains(count) else {
            throw invalid(1, "half a signature on \(curve.name) has no \(count) bytes")
        }
        explain("\(count) bytes")
        return [UInt8(count)] + (try bytes(count, name))
    }
}
