import Agents
import AppCore
import Storage

extension AppHost {
    /// Tells which devices the gateway of this profile lets in, after one of them was let out. They are in a small file, which the gateway reads.
    func readDevices(_ id: EffectID, revoking device: String?) {
        let devices = GatewayDevices(folder: profile.path + "/Gateway")
        inBackground(id) {
            do throws(FileError) {
                let known = if let device { try devices.revoke(id: device) } else { try devices.all() }
                return .devicesRead(effect: id, devices: known.map(ServedDevice.init))
            } catch {
                throw Failure(.devicesUnreadable, "\(error)", retryable: true)
            }
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
