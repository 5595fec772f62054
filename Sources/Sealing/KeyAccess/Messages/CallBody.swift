internal import Networking
internal import Wire

/// What a call's body may hold.
struct Call {
    /// The names of its one text, field 1 in protobuf. The body has one of them.
    let names: [String]
    /// The names of other members, fields 2 and up in protobuf. They decide nothing.
    var others: [String] = []

    static let publicKey = Call(names: ["algorithm"], others: ["fmt", "v"])
    static let rewrap = Call(names: ["signedRequestToken", "signed_request_token"])
}

/// The two forms in which a call's few fields travel: JSON, and protobuf for Connect clients.
enum CallForm: Equatable {
    case json
    case protobuf

    /// The form of a request's body; nil for an unknown one.
    init?(_ request: HTTPRequest) {
        // Streaming calls have other types.
        let type = (request.headers["content-type"] ?? "application/json").prefix { $0 != ";" && $0 != " " }
        switch type.lowercased() {
        case "application/json": self = .json
        case "application/proto", "application/protobuf", "application/x-protobuf": self = .protobuf
        default: return nil
        }
    }

    /// The one text that a call consists of. Empty if it is missing.
    /// - Parameter limit: bytes of a body once it is decompressed.
    func text(of call: Call, _ request: HTTPRequest, atMost limit: Int) throws(KeyAccessError) -> String {
        let body = try Self.decompressed(request, atMost: limit)
        switch self {
        case .json: return try Self.text(of: call, json: body.isEmpty ? Array("{}".utf8) : body)
        case .protobuf: return try Self.text(of: call, protobuf: body)
        }
    }

    private static func text(of call: Call, json: [UInt8]) throws(KeyAccessError) -> String {
        guard let object = JSONObject(unambiguous: json) else {
            throw .invalid("the body is no JSON object, or has a member twice")
        }
        guard object.has(only: Set(call.names + call.others)) else {
            throw .invalid("the body has a member that is not known here")
        }
        let values = call.names.compactMap { object[$0] }.filter { $0 != .null }
        guard values.count <= 1 else { throw .invalid("the body says \(call.names[0]) twice") }
        guard let value = values.first else { return "" }
        guard let text = value.string else { throw .invalid("\(call.names[0]) is not a text") }
        return text
    }

    private static func text(of call: Call, protobuf: [UInt8]) throws(KeyAccessError) -> String {
        var texts: [String] = []
        do {
            var reader = ProtobufReader(protobuf)
            while let field = try reader.next() {
                guard field.number != 1 else {
                    texts.append(try field.string(atMost: protobuf.count))
                    continue
                }
                guard field.number <= 1 + call.others.count else {
                    throw WireError(.malformed, "the body has a field that is not known here")
                }
            }
        } catch {
            throw .invalid("the body is not protobuf, or has a field that is not known here")
        }
        guard texts.count <= 1 else { throw .invalid("the body says \(call.names[0]) twice") }
        return texts.first ?? ""
    }

    private static func decompressed(_ request: HTTPRequest, atMost limit: Int) throws(KeyAccessError) -> [UInt8] {
        switch request.headers["content-encoding"]?.lowercased() ?? "identity" {
        case "identity": return request.body
        case "gzip":
            do {
                return try Gzip.decompress(request.body, atMost: limit)
            } catch {
                let isTooMuch = error.code == .limitExceeded
                throw KeyAccessError(isTooMuch ? .resourceExhausted : .invalidArgument, "the body: \(error.message)")
            }
        default: throw KeyAccessError(.unimplemented, "the content encoding has to be identity or gzip")
        }
    }

    func response(_ json: JSONValue, _ protobuf: [UInt8]) -> HTTPResponse {
        switch self {
        case .json: .json(200, json)
        case .protobuf: HTTPResponse(status: 200, headers: ["content-type": "application/proto"], body: protobuf)
        }
    }
}

extension HTTPResponse {
    static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
        var body: [UInt8] = []
        value.write(to: &body)
        return HTTPResponse(
            status: status, headers: ["content-type": "application/json", "cache-control": "no-store"], body: body)
    }

    /// An error in Connect's form, whatever the form of the request.
    static func failure(_ error: KeyAccessError, retryAfter: Int? = nil) -> HTTPResponse {
        let status =
            switch error.code {
            case .invalidArgument: 400
            case .unauthenticated: 401
            case .permissionDenied: 403
            case .notFound: 404
            case .resourceExhausted: 429
            case .unimplemented: 501
            case .unavailable: 503
            case .refusedAddress, .badAnswer, .invalidConfiguration: 500
            }
        var response = json(status, ["code": .string(error.code.rawValue), "message": .string(error.message)])
        if let retryAfter { response.headers["retry-after"] = String(retryAfter) }
        return response
    }
}
