/// Which of the other side's keys one of several devices of a person may use, so that no two ever take the same.
public struct KeyPartition: Hashable, Sendable {
    /// This device's number, from 0.
    public let device: Int
    /// How many devices share the keys.
    public let devices: Int

    /// One device, which may use all.
    public static let whole = KeyPartition(unchecked: 0, of: 1)

    /// Nil unless `device` is one of 1 to 64 devices.
    public init?(device: Int, of devices: Int) {
        guard (1...64).contains(devices), (0..<devices).contains(device) else { return nil }
        self.init(unchecked: device, of: devices)
    }

    private init(unchecked device: Int, of devices: Int) {
        self.device = device
        self.devices = devices
    }
}
