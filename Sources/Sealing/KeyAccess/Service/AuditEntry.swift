internal import NanoTDF
internal import Wire

/// One line of the audit log: who asked for what, and what was decided. No keys, no tokens, no content of policies beyond
/// identifiers and names of attributes.
struct AuditEntry {
    /// Milliseconds since 1970.
    var time: Int64
    /// The address of the client.
    var address: String
    /// The caller, once it is known.
    var caller: String?
    /// The thumbprint of the key that signed the request.
    var signer: String?
    var decision = Rewrapper.Decision()

    var line: String {
        var line: JSONObject = [
            "time": .number(String(time)), "address": .string(address),
            "decision": decision.refusal == nil ? "permit" : "deny",
        ]
        func add(_ name: String, _ text: String?) {
            if let text { line.append(name, .string(text)) }
        }
        add("caller", caller)
        add("signer", signer)
        add("object", decision.objectID.isEmpty ? nil : decision.objectID)
        add("key", decision.keyID)
        add("policy", decision.policyID)
        if !decision.attributes.isEmpty {
            line.append("attributes", .array(decision.attributes.map { .string($0) }))
        }
        add("binding", decision.binding?.rawValue)
        add("code", decision.refusal?.code.rawValue)
        add("reason", decision.refusal?.message)
        return JSONValue.object(line).text
    }
}
