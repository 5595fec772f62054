internal import Cryptography
internal import NanoTDF

/// Decides about each file of a request and wraps the keys of those that may be opened. It does no I/O.
struct Rewrapper: Sendable {
    let keys: ServiceKeys
    let policy: AccessPolicy

    /// The decision about one file, for the audit log.
    struct Decision {
        var objectID = ""
        var keyID: String?
        var policyID: String?
        var attributes: [String] = []
        var binding: NanoTDF.BindingCheck?
        /// Why it was refused; nil if it was permitted.
        var refusal: KeyAccessError?
    }

    func answer(
        _ request: RewrapRequest, for caller: AccessPolicy.Caller
    ) throws(KeyAccessError) -> (response: RewrapResponse, decisions: [Decision]) {
        let wrapper = try Wrapper(for: request.clientKey)
        var decisions: [Decision] = []
        let entries = request.entries.map { entry in
            RewrapResponse.Entry(
                policyID: entry.policyID,
                results: entry.objects.map { object in
                    var decision = Decision(objectID: object.id)
                    defer { decisions.append(decision) }
                    do throws(KeyAccessError) {
                        let key = try payloadKey(of: object, for: caller, &decision)
                        return .init(id: object.id, outcome: .permit(try wrapper.wrap(key)))
                    } catch {
                        decision.refusal = error
                        return .init(id: object.id, outcome: .fail(error.message))
                    }
                })
        }
        return (RewrapResponse(entries: entries, sessionKey: wrapper.sessionKey), decisions)
    }

    /// The key of a file's payload, if the caller may have it.
    private func payloadKey(
        of object: RewrapRequest.Object, for caller: AccessPolicy.Caller, _ decision: inout Decision
    ) throws(KeyAccessError) -> SecretBytes {
        guard let bytes = object.header else {
            throw KeyAccessError(.unimplemented, "this service opens NanoTDFs only, and this is not a header of one")
        }
        let header = try readable { () throws(NanoTDFError) in try NanoTDF.Header(bytes) }
        let key = try keys.key(id: header.kas.identifierText, on: header.curve)
        decision.keyID = key.id
        let payloadKey = try readable { () throws(NanoTDFError) in try header.payloadKey(with: key.privateKey) }
        let binding = header.checkBinding(payloadKey: payloadKey)
        decision.binding = binding
        guard binding != .wrong else {
            throw KeyAccessError(
                .permissionDenied, "the policy does not belong to this file: it or its binding was changed")
        }
        let (content, isPlain) = try content(of: header, payloadKey)
        guard !(policy.refusesDigestBindings && isPlain && binding == .digest) else {
            throw KeyAccessError(
                .permissionDenied, "this service refuses policies that anybody could have changed: encrypt or sign them"
            )
        }
        let demanded = try DataPolicy(content)
        decision.policyID = demanded.id
        decision.attributes = demanded.attributes
        try policy.check(caller, against: demanded)
        return payloadKey
    }

    private func content(
        of header: NanoTDF.Header, _ key: SecretBytes
    ) throws(KeyAccessError) -> (bytes: [UInt8], isPlain: Bool) {
        switch try readable({ () throws(NanoTDFError) in try header.policy(payloadKey: key) }) {
        case .plain(let content): return (content, true)
        case .decrypted(let content): return (content, false)
        case .remote:
            throw KeyAccessError(.unimplemented, "the policy is kept elsewhere, and this service fetches none")
        case .elsewhere:
            throw KeyAccessError(.unimplemented, "the policy is encrypted for another service")
        case .unreadable, .unauthenticated:
            throw KeyAccessError(.permissionDenied, "the policy cannot be decrypted with the key of this file")
        }
    }

    private func readable<Value>(_ read: () throws(NanoTDFError) -> Value) throws(KeyAccessError) -> Value {
        do {
            return try read()
        } catch {
            throw KeyAccessError(.invalidArgument, "the header cannot be used: \(error.message)")
        }
    }

    /// Wraps keys for one client.
    private struct Wrapper {
        private enum Means {
            case agreed(SecretBytes)
            case rsa(RSAPublicKey)
        }

        private let means: Means
        /// In PEM.
        let sessionKey: String

        init(for client: RewrapRequest.ClientKey) throws(KeyAccessError) {
            do {
                switch client {
                case .rsa(let key):
                    means = .rsa(key)
                    sessionKey = ""
                case .elliptic(let key):
                    let session = try EllipticCurve.PrivateKey(key.curve)
                    means = .agreed(try KeyWrapping.wrappingKey(session, key))
                    sessionKey = try session.publicKey.pem
                }
            } catch {
                throw KeyAccessError(.unavailable, "the service could not make a key for this answer")
            }
        }

        func wrap(_ key: SecretBytes) throws(KeyAccessError) -> [UInt8] {
            do {
                switch means {
                case .agreed(let wrappingKey): return try KeyWrapping.wrap(key, with: wrappingKey)
                case .rsa(let publicKey): return try publicKey.wrap(key)
                }
            } catch {
                throw KeyAccessError(.unavailable, "the service could not wrap the key")
            }
        }
    }
}
