import Agents
import AppCore

extension AppHost {
    /// Tells which devices the gateway of this profile lets in, after one of them was let out. They are in a small file, which the gateway reads.
    func readDevices(_ id: EffectID, revoking device: String?) {
        let devices = GatewayDevices(folder: profile.path + "/Gateway")
        inBackground(id) {
            if let device { _ = try devices.revoke(device) }
            return .devicesRead(effect: id, devices: try devices.all().map(ServedDevice.init))
        }
    }
}

extension ServedDevice {
    init(_ device: GatewayDevice) {
        self.init(
            id: device.id, name: device.name, pairedAt: Timestamp(milliseconds: device.pairedAt),
            lastSeen: device.lastSeen.map(Timestamp.init(milliseconds:)))
    }
}
