internal import Errors
package import Wire

/// What a device that wants to be let in sends with `POST /pair`.
package struct GatewayPairRequest: Sendable, Hashable {
    /// Bytes of an id or a name.
    package static let nameBytes = 128

    package var code: String
    /// Chosen by the device. Whoever pairs again under it replaces what was there.
    package var deviceID: String
    package var deviceName: String
    /// All of it, also an `apns_token`.
    package let object: JSONObject

    package init(code: GatewayCode, deviceID: String, deviceName: String) {
        (self.code, self.deviceID, self.deviceName) = (code.digits, deviceID, deviceName)
        object = ["code": .string(code.digits), "device_id": .string(deviceID), "device_name": .string(deviceName)]
    }

    /// Reads a body.
    package init(_ body: some Collection<UInt8>) throws(AgentProtocolError) {
        let object = try BoundedJSON.object(body)
        guard let code = object.string("code"), let id = object.string("device_id"),
            let name = object.string("device_name"), 1...Self.nameBytes ~= id.utf8.count,
            1...Self.nameBytes ~= name.utf8.count
        else { throw AgentProtocolError(.malformed, "the body needs code, device_id and device_name") }
        (self.code, deviceID, deviceName, self.object) = (code, id, name, object)
    }

    package var body: [UInt8] { Array(JSONValue.object(object).text.utf8) }
}

/// What a gateway answers to a device that it lets in.
package struct GatewayPairAnswer: Sendable, Hashable {
    package var token: GatewayToken
    package var serverName: String
    package var serverVersion: String
    /// All of it.
    package let object: JSONObject

    package init(token: GatewayToken, serverName: String, serverVersion: String) {
        (self.token, self.serverName, self.serverVersion) = (token, serverName, serverVersion)
        object = [
            "token": .string(token.text), "server_name": .string(serverName), "server_version": .string(serverVersion),
        ]
    }

    /// Reads a body.
    package init(_ body: some Collection<UInt8>) throws(AgentProtocolError) {
        let object = try BoundedJSON.object(body)
        guard let token = object.string("token").flatMap(GatewayToken.init) else {
            throw AgentProtocolError(.malformed, "the answer has no token")
        }
        (self.token, self.object) = (token, object)
        serverName = object.string("server_name") ?? ""
        serverVersion = object.string("server_version") ?? ""
    }

    package var body: [UInt8] { Array(JSONValue.object(object).text.utf8) }
}
