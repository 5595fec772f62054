public import Cryptography

extension NanoTDF.Header {
    /// The policy as far as the payload key shows it, for a service that has the header only.
    public func policy(payloadKey: SecretBytes) throws(NanoTDFError) -> NanoTDF.OpenedPolicy {
        try PayloadOpener(header: self, payloadKey: payloadKey).policy(allowing: [])
    }
}
