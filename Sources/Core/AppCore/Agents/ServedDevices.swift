// Devices that may use agents of this machine through its gateway (`alcove agent serve`): which they are, and the end of that.

/// A device that was let in.
package struct ServedDevice: Sendable, Hashable, Codable, Identifiable {
    /// Chosen by the device.
    package let id: String
    /// What the device calls itself.
    package let name: String
    package let pairedAt: Timestamp
    /// When it connected last; `nil` if it never did.
    package let lastSeen: Timestamp?

    package init(id: String, name: String, pairedAt: Timestamp, lastSeen: Timestamp?) {
        (self.id, self.name, self.pairedAt, self.lastSeen) = (id, name, pairedAt, lastSeen)
    }

    /// Devices that are told at once: as many as a gateway lets in.
    static let limit = 64

    /// What a stranger calls itself is shown in one line, and no longer than a name is.
    fileprivate var fitted: ServedDevice? {
        guard !id.isEmpty, id.utf8.count <= AgentTalkLimits.nameBytes else { return nil }
        return ServedDevice(
            id: id, name: name.withoutControls.trimmed.limited(to: AgentListLimits.nameBytes), pairedAt: pairedAt,
            lastSeen: lastSeen)
    }

    var redacted: ServedDevice {
        ServedDevice(id: id.redactedName, name: name.redacted, pairedAt: pairedAt, lastSeen: lastSeen)
    }
}

/// What a view shows of them.
package struct ServedDeviceList: Sendable, Hashable, Codable {
    /// The ``Effect/Kind/readDevices(revoking:)`` that tells; `nil` once it has.
    package internal(set) var effect: EffectID?
    /// `nil` as long as they are not known.
    package internal(set) var devices: [ServedDevice]?
    /// The effect that told them: a client acts on what it was shown.
    package internal(set) var answer: EffectID?
    package internal(set) var failure: Failure?

    var redacted: ServedDeviceList {
        ServedDeviceList(
            effect: effect, devices: devices?.map(\.redacted), answer: answer, failure: failure?.redacted)
    }
}

extension AppState {
    /// The screens decide what is read.
    mutating func followDevices(_ context: inout DispatchContext) {
        for view in views {
            let isShown = view.screens.contains { $0.page == .agentDevices }
            guard isShown != (view.devices != nil) else { continue }
            if isShown {
                readDevices(for: view.id, &context)
            } else {
                if let effect = view.devices?.effect { settle(effect, &context) }
                views.update(view.id) { $0.devices = nil }
            }
        }
    }

    /// Reads them for the view that acts, after one of them was let out.
    mutating func readDevices(revoking device: String? = nil, _ context: inout DispatchContext) {
        let view = actingView(context)
        guard let known = view.devices, known.effect == nil else { return }
        // Only what was shown is let out.
        if let device { guard known.devices?.contains(where: { $0.id == device }) == true else { return } }
        readDevices(for: view.id, revoking: device, &context)
    }

    private mutating func readDevices(
        for view: ViewID, revoking device: String? = nil, _ context: inout DispatchContext
    ) {
        let asker = context.view
        context.answer(to: view)
        let effect = issue(.readDevices(revoking: device), &context)
        context.answer(to: asker)
        views.update(view) {
            $0.devices = ServedDeviceList(effect: effect, devices: $0.devices?.devices, answer: $0.devices?.answer)
        }
    }

    mutating func devicesRead(_ effect: EffectID, _ devices: [ServedDevice], _ context: inout DispatchContext) {
        guard case .readDevices = settle(effect, &context) else { return }
        let fitted = devices.prefix(ServedDevice.limit).compactMap(\.fitted)
        updateDevices(of: effect) { $0 = ServedDeviceList(devices: fitted, answer: effect) }
    }

    mutating func readingDevicesFailed(_ effect: EffectID, _ failure: Failure, _ context: inout DispatchContext) {
        settle(effect, &context)
        // What was shown may be let in still.
        updateDevices(of: effect) { $0 = ServedDeviceList(devices: $0.devices, answer: $0.answer, failure: failure) }
    }

    private mutating func updateDevices(of effect: EffectID, _ change: (inout ServedDeviceList) -> Void) {
        views.updateAll { view in
            guard var list = view.devices, list.effect == effect else { return }
            change(&list)
            view.devices = list
        }
    }
}
