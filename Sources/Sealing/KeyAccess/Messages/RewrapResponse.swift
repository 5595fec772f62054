internal import Wire

/// The answer to a ``RewrapRequest``: for each file a wrapped key or a reason.
package struct RewrapResponse: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// For a key on a curve: nonce (12 bytes), ciphertext (32), tag (16). For RSA: as long as its modulus.
        case permit([UInt8])
        case fail(String)
    }

    package struct Result: Sendable, Equatable {
        package let id: String
        package let outcome: Outcome
    }

    package struct Entry: Sendable, Equatable {
        package let policyID: String
        package let results: [Result]
    }

    package let entries: [Entry]
    /// The service's key for this answer alone, in PEM; empty if the keys are wrapped for RSA.
    package let sessionKey: String

    /// The version of the TDF schema that the answer follows.
    static let schemaVersion = "4.3.0"

    init(entries: [Entry], sessionKey: String) {
        self.entries = entries
        self.sessionKey = sessionKey
    }

    /// Reads what a service answered.
    package init(json: [UInt8]) throws(KeyAccessError) {
        guard let object = JSONObject(unambiguous: json), case .array(let list)? = object["responses"] else {
            throw .answer("it is no JSON object with responses")
        }
        sessionKey = object["sessionPublicKey"]?.string ?? ""
        entries = try list.map { value throws(KeyAccessError) in
            guard let entry = value.object, case .array(let results)? = entry["results"] else {
                throw .answer("a response has no results")
            }
            return Entry(
                policyID: entry["policyId"]?.string ?? "",
                results: try results.map { value throws(KeyAccessError) in try Self.result(value) })
        }
    }

    private static func result(_ value: JSONValue) throws(KeyAccessError) -> Result {
        guard let result = value.object, let id = result["keyAccessObjectId"]?.string else {
            throw .answer("a result does not say what it is about")
        }
        guard result["status"] == "permit" else {
            return Result(id: id, outcome: .fail(result["error"]?.string ?? "no reason was given"))
        }
        guard let text = result["kasWrappedKey"]?.string, let wrapped = try? Base64.decode(text) else {
            throw .answer("a wrapped key is not base64")
        }
        return Result(id: id, outcome: .permit(wrapped))
    }

    var json: JSONValue {
        [
            "schemaVersion": .string(Self.schemaVersion), "sessionPublicKey": .string(sessionKey),
            "responses": .array(
                entries.map { entry in
                    ["policyId": .string(entry.policyID), "results": .array(entry.results.map(\.json))]
                }),
        ]
    }

    /// As protobuf, which Connect clients may speak.
    var protobuf: [UInt8] {
        var writer = ProtobufWriter()
        writer.write(sessionKey, 3)
        writer.write(Self.schemaVersion, 4)
        for entry in entries {
            var inner = ProtobufWriter()
            inner.write(entry.policyID, 1)
            for result in entry.results { inner.write(message: result.protobuf, 2) }
            writer.write(message: inner, 5)
        }
        return writer.bytes
    }
}

extension RewrapResponse.Result {
    fileprivate var json: JSONValue {
        switch outcome {
        case .permit(let wrapped):
            ["keyAccessObjectId": .string(id), "status": "permit", "kasWrappedKey": .string(Base64.encode(wrapped))]
        case .fail(let reason):
            ["keyAccessObjectId": .string(id), "status": "fail", "error": .string(reason)]
        }
    }

    fileprivate var protobuf: ProtobufWriter {
        var writer = ProtobufWriter()
        writer.write(id, 2)
        switch outcome {
        case .permit(let wrapped):
            writer.write("permit", 3)
            writer.write(wrapped, 4)
        case .fail(let reason):
            writer.write("fail", 3)
            writer.write(reason, 5)
        }
        return writer
    }
}

extension KeyAccessError {
    static func answer(_ reason: String) -> KeyAccessError {
        KeyAccessError(.badAnswer, "the key access service gave an answer that cannot be used: \(reason)")
    }
}
