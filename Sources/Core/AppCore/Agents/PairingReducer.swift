// Agents behind a gateway: this device shows a code there, once, and gets a token.

/// Where a gateway is, and what lets this device in: as a person writes it.
package struct PairingAddress: Sendable, Hashable, Codable {
    /// The address that the gateway shows (`jcode://pair?host=…`), or `HOST` or `HOST:PORT`.
    package internal(set) var gateway = ""
    /// The six digits; `nil` if they are in the address.
    package internal(set) var code: String?
    /// Whether code and token may travel without TLS to another machine; `nil` for no.
    package internal(set) var plain: Bool?

    /// Bytes of what is written as an address.
    static let gatewayBytes = 1024
    static let codeBytes = 16
}

/// What stands in a view's fields about a gateway.
package struct PairingForm: Sendable, Hashable, Codable {
    package internal(set) var address = PairingAddress()
    /// The ``Effect/Kind/pairGateway(name:address:)`` that is under way.
    package internal(set) var effect: EffectID?
}

extension AppState {
    mutating func editPairingForm(gateway: String?, code: String?, plain: Bool?, _ context: DispatchContext) {
        var form = actingView(context).agents.pairing ?? PairingForm()
        if let gateway { form.address.gateway = gateway.withoutControls.limited(to: PairingAddress.gatewayBytes) }
        if let code { form.address.code = code.asCode }
        if let plain { form.address.plain = plain ? true : nil }
        views.update(context.view ?? .main) { $0.agents.pairing = form }
    }

    mutating func pairAgent(_ name: String, _ address: PairingAddress, _ context: inout DispatchContext) {
        let view = actingView(context)
        // A step that a client sends twice happens once: a code counts once.
        guard view.agents.pairing?.effect == nil else { return }
        // What would be refused afterwards is told before the code is used up.
        guard let name = nameForAnother(name, context) else { return }
        let gateway = address.gateway.withoutControls.trimmed
        guard !gateway.isEmpty, gateway.utf8.count <= PairingAddress.gatewayBytes else {
            return notify(.problem, Words(Failure(.gatewayAddressInvalid)), context)
        }
        let asked = PairingAddress(
            gateway: gateway, code: address.code?.asCode, plain: address.plain == true ? true : nil)
        let effect = issue(.pairGateway(name: name, address: asked), &context)
        views.update(view.id) { $0.agents.pairing = PairingForm(address: asked, effect: effect) }
    }

    mutating func gatewayPaired(
        _ effect: EffectID, _ url: String, _ fingerprint: String?, _ token: SecretRef, _ context: inout DispatchContext
    ) {
        guard case .pairGateway(let name, let address) = settle(effect, &context) else {
            // The profile was locked meanwhile, or this is told twice: then the token is the agent's.
            guard !lock.isLocked else { return }
            let isUsed = agents.byID.values.contains { $0.secret == token }
            return isUsed ? () : forget([token], &context)
        }
        endPairing(effect)
        views.update(context.view ?? .main) { if $0.agents.pairing?.address == address { $0.agents.pairing = nil } }
        addGateway(name, url, fingerprint, token, &context)
    }

    mutating func pairingFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        endPairing(effect)
        notify(.problem, Words(failure), context)
    }

    /// What is written stays: it may lack one letter.
    private mutating func endPairing(_ effect: EffectID) {
        views.updateAll { if $0.agents.pairing?.effect == effect { $0.agents.pairing?.effect = nil } }
    }
}

extension String {
    /// Digits as they are typed, also with blanks between; `nil` if there are none.
    fileprivate var asCode: String? {
        let digits = filter { !$0.isWhitespace }.withoutControls.limited(to: PairingAddress.codeBytes)
        return digits.isEmpty ? nil : digits
    }
}
