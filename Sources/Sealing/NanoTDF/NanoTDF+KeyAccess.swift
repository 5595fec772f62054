public import Cryptography

// What a Key Access Service and its clients need: they have a header and no payload, or a payload key and no private key.

extension NanoTDF.Header {
    /// The header that a file begins with, whatever follows it.
    public static func beginning(_ file: some Collection<UInt8>) throws(NanoTDFError) -> NanoTDF.Header {
        try NanoTDFParser.parseDatasetHeader(Array(file.prefix(NanoTDFDatasetReader.headerByteLimit))).header
    }

    /// The policy as far as the payload key shows it.
    public func policy(payloadKey: SecretBytes) throws(NanoTDFError) -> NanoTDF.OpenedPolicy {
        try PayloadOpener(header: self, payloadKey: payloadKey).policy(allowing: [])
    }
}
