internal import Networking
internal import Wire

/// The two forms in which a call's few fields travel: JSON, and protobuf for Connect clients.
enum CallForm: Equatable {
    case json
    case protobuf

    /// The form of a request's body; nil for a form that is not spoken here.
    init?(_ request: HTTPRequest) {
        // Streaming calls have other types.
        let type = (request.headers["content-type"] ?? "application/json").prefix { $0 != ";" && $0 != " " }
        switch type.lowercased() {
        case "application/json": self = .json
        case "application/proto", "application/protobuf", "application/x-protobuf": self = .protobuf
        default: return nil
        }
    }

    /// The one text that a call consists of: field 1, or the member under one of `names`. Empty if it is missing.
    /// - Parameter limit: bytes of a body once it is decompressed.
    func text(of request: HTTPRequest, names: [String], atMost limit: Int) throws(KeyAccessError) -> String {
        let body = try Self.decompressed(request, atMost: limit)
        switch self {
        case .json:
            guard let object = try? JSONValue(body.isEmpty ? Array("{}".utf8) : body).object else {
                throw .invalid("the body is no JSON object")
            }
            for name in names {
                if let text = object[name]?.string { return text }
            }
            return ""
        case .protobuf:
            do {
                var text = ""
                var reader = ProtobufReader(body)
                while let field = try reader.next() {
                    if field.number == 1 { text = try field.string(atMost: body.count) }
                }
                return text
            } catch {
                throw .invalid("the body is not protobuf")
            }
        }
    }

    private static func decompressed(_ request: HTTPRequest, atMost limit: Int) throws(KeyAccessError) -> [UInt8] {
        switch request.headers["content-encoding"]?.lowercased() ?? "identity" {
        case "identity": return request.body
        case "gzip":
            do {
                return try Inflate.gzip(request.body, atMost: limit)
            } catch {
                let isTooMuch = error.code == .limitExceeded
                throw KeyAccessError(isTooMuch ? .resourceExhausted : .invalidArgument, "the body: \(error.message)")
            }
        default: throw KeyAccessError(.unimplemented, "bodies come as they are or with gzip")
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

    /// An error as Connect tells it, whatever the form of the request.
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
