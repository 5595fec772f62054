public import Cryptography

/// Where keys of this device are kept. They never leave it.
public protocol DeviceKeys: Sendable {
    /// The key of a name; nil if there is none yet. Throws when there is one that cannot be read now.
    func load(_ name: String) throws(DeviceKeyError) -> SecretBytes?
    /// Keeps a new key, so that it survives a crash of the machine.
    func store(_ key: SecretBytes, as name: String) throws(DeviceKeyError)
}

public struct DeviceKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for a person.
    public let message: String

    public init(_ message: String) { self.message = message }

    public var description: String { message }
}
