internal import Cryptography

extension FieldReader {
    mutating func header(bindingAs form: NanoTDFParser.BindingForm) throws(NanoTDFError) -> NanoTDF.Header {
        let version = try version()
        let kas = try locator(kind: "KAS kind", length: "KAS length", body: "KAS address", key: "KAS key id")
        let readerKey = version == .l1m ? try readerKey() : nil
        let (curve, isECDSA, unusedModes) = try modes()
        let (cipher, signatureCurve, unusedConfiguration) = try configuration()
        let policy = try policy(keyCurve: curve)
        let binding =
            isECDSA
            ? try signatureBinding(on: curve, as: form)
            : .code(try bytes(NanoTDF.Binding.codeByteCount, "policy binding"))
        let ephemeralKey = try key(on: curve, "ephemeral key")
        return NanoTDF.Header(
            version: version, kas: kas, readerKey: readerKey, curve: curve, cipher: cipher,
            signatureCurve: signatureCurve, policy: policy, binding: binding, ephemeralKey: ephemeralKey,
            unused: (unusedModes, unusedConfiguration))
    }

    private mutating func version() throws(NanoTDFError) -> NanoTDF.Version {
        let magic = try bytes(3, "magic and version")
        guard let version = NanoTDF.Version.allCases.first(where: { $0.magic == magic }) else {
            let other = OtherContainer(beginning: magic).map { ": this is \($0.words)" } ?? ""
            throw NanoTDFError(.badMagic, "a NanoTDF begins with the letters L1L or L1M\(other)", at: offset - 3)
        }
        explain(String(decoding: magic, as: UTF8.self))
        return version
    }

    private mutating func readerKey() throws(NanoTDFError) -> NanoTDF.ReaderKey {
        let code = try bytes(1, "curve of the reader's key")[0]
        let curve = try curve(code)
        explain(curve.name)
        return NanoTDF.ReaderKey(curve: curve, compressed: try key(on: curve, "reader's key"))
    }

    private mutating func modes() throws(NanoTDFError) -> (curve: EllipticCurve, isECDSA: Bool, unused: UInt8) {
        let flags = try bytes(1, "binding mode and curve")[0]
        let curve = try curve(flags & 0x07)
        let isECDSA = flags & 0x80 != 0
        explain("\(isECDSA ? "ECDSA" : "GMAC") binding, \(curve.name)")
        return (curve, isECDSA, flags & 0x78)
    }

    private mutating func configuration() throws(NanoTDFError) -> (
        cipher: NanoTDF.Cipher, signatureCurve: EllipticCurve?, unused: UInt8
    ) {
        let flags = try bytes(1, "cipher and signature")[0]
        guard let cipher = NanoTDF.Cipher(rawValue: flags & 0x0f) else {
            throw invalid(1, "there is no cipher \(flags & 0x0f)")
        }
        guard flags & 0x80 != 0 else {
            explain("\(cipher.name), not signed")
            return (cipher, nil, flags & 0x70)
        }
        let curve = try curve(flags >> 4 & 0x07)
        explain("\(cipher.name), signed on \(curve.name)")
        return (cipher, curve, 0)
    }

    private func curve(_ code: UInt8) throws(NanoTDFError) -> EllipticCurve {
        guard let curve = EllipticCurve(nanoTDFCode: code) else { throw invalid(1, "there is no curve \(code)") }
        return curve
    }

    mutating func locator(
        kind: StaticString, length: StaticString, body: StaticString, key: StaticString
    ) throws(NanoTDFError) -> ResourceLocator {
        let code = try bytes(1, kind)[0]
        guard let transport = ResourceLocator.Transport(rawValue: code & 0x0f) else {
            throw invalid(1, "there is no protocol \(code & 0x0f)")
        }
        guard code >> 4 < ResourceLocator.identifierByteCounts.count else {
            throw invalid(1, "there is no kind of key identifier \(code >> 4)")
        }
        let identifierByteCount = ResourceLocator.identifierByteCounts[Int(code >> 4)]
        explain("\(transport.scheme), key id of \(identifierByteCount) bytes")
        let count = try number(1, length)
        guard ResourceLocator.bodyByteCounts.contains(count) else { throw invalid(1, "an address is empty") }
        explain("\(count) bytes")
        let address = try bytes(count, body)
        explain(String(decoding: address, as: UTF8.self))
        guard identifierByteCount > 0 else { return try ResourceLocator(transport, body: address) }
        let locator = try ResourceLocator(
            transport, body: address, identifier: bytes(identifierByteCount, key))
        explain(locator.identifierText ?? "")
        return locator
    }
}
