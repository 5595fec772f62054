internal import Networking
internal import Wire

/// The fields of a request: of its JSON body, or else of its query.
struct RESTFields {
    private let body: JSONObject
    private let request: HTTPRequest

    /// A code lives for at most a day.
    static let expiryRange = 1...86_400

    init(_ request: HTTPRequest) throws(RESTError) {
        self.request = request
        guard !request.body.isEmpty else {
            body = JSONObject()
            return
        }
        do {
            switch try JSONValue(request.body) {
            case .object(let object): body = object
            case .array: body = JSONObject()
            default: throw RESTError(400, "invalid_json")
            }
        } catch {
            throw RESTError(400, "invalid_json")
        }
    }

    subscript(name: String) -> JSONValue? { body[name] }

    /// The answer names the first field that is missing, null or empty.
    func require(_ names: String...) throws(RESTError) {
        for name in names where isMissing(body[name]) { throw RESTError(400, "missing_\(name)") }
    }

    private func isMissing(_ value: JSONValue?) -> Bool { value == nil || value == .null || value == "" }

    func joinID() throws(RESTError) -> String {
        guard let code = JoinID(body["joinid"]) else { throw RESTError(400, "invalid_joinid") }
        return code.text
    }

    func device(_ name: String) throws(RESTError) -> String {
        guard DeviceID.isValid(body[name]), let device = body[name]?.string else {
            throw RESTError(400, "invalid_\(name)")
        }
        return device
    }

    /// The leading whole number of a number or text, as JavaScript's `parseInt` reads it.
    func expiry() throws(RESTError) -> Int {
        let text: String? =
            switch body["expiresInSeconds"] {
            case .number(let spelling): spelling
            case .string(let string): string
            default: nil
            }
        let trimmed = (text ?? "").drop { $0.isWhitespace }
        let digits = (trimmed.hasPrefix("+") ? trimmed.dropFirst() : trimmed).prefix { $0.isASCII && $0.isNumber }
        guard let seconds = Int(digits), Self.expiryRange.contains(seconds) else {
            throw RESTError(
                400,
                "invalid_expiresInSeconds",
                ["details": "expiresInSeconds must be a whole number from 1 to 86400"]
            )
        }
        return seconds
    }

    /// `roomid` with the proof of the right to act on it: `ticket`, `deviceId`, or both.
    func roomAndProof() throws(RESTError) -> (room: String, proof: Proof) {
        guard let room = text("roomid"), !room.isEmpty else { throw RESTError(400, "missing_roomid") }
        return (room, Proof(device: text("deviceId"), ticket: text("ticket")))
    }

    private func text(_ name: String) -> String? { body[name]?.string ?? request.queryValue(name) }

    func purge() throws(RESTError) -> RESTCall {
        let tickets: [String] =
            if case .array(let values)? = body["tickets"] { values.compactMap(\.string) } else { [] }
        guard case .array(let values)? = body["deviceIds"] else {
            guard !isMissing(body["deviceId"]) else { throw RESTError(400, "missing_deviceIds_or_deviceId") }
            guard DeviceID.isValid(body["deviceId"]), let device = body["deviceId"]?.string else {
                throw RESTError(400, "invalid_device_ids", ["count": 1])
            }
            return .purge(devices: [device], tickets: tickets)
        }
        guard !values.isEmpty else { throw RESTError(400, "empty_deviceIds_array") }
        let invalid = values.filter { !DeviceID.isValid($0) }.count
        guard invalid == 0 else {
            throw RESTError(400, "invalid_device_ids", ["count": .number(String(invalid))])
        }
        return .purge(devices: values.compactMap(\.string), tickets: tickets)
    }
}
