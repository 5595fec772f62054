internal import Networking
internal import Wire

/// The refusal of a request: a status and `{"error": code}`.
struct RESTError: Error, Equatable {
    let status: Int
    let code: String
    /// Further members of the body.
    var details: JSONObject
    /// Seconds until the client may try again.
    var retryAfter: Int?

    init(_ status: Int, _ code: String, _ details: JSONObject = [:], retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.details = details
        self.retryAfter = retryAfter
    }

    static func tooMany(_ code: String, retryAfter: Int) -> RESTError {
        RESTError(429, code, retryAfter: retryAfter)
    }

    var response: HTTPResponse {
        var body: JSONObject = ["error": .string(code)]
        for member in details.members { body.append(member.name, member.value) }
        var response = HTTPResponse.json(status, .object(body))
        if let retryAfter { response.headers["retry-after"] = String(retryAfter) }
        return response
    }
}

extension HTTPResponse {
    static func json(_ status: Int, _ value: JSONValue) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["content-type": "application/json; charset=utf-8"],
            body: Array(value.text.utf8)
        )
    }

    static func plain(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["content-type": "text/plain; charset=utf-8"], body: Array(text.utf8))
    }
}
