package import Components
package import Cryptography
internal import Synchronization

/// The ports `keystore_encrypt` and `keystore_decrypt`: AES-GCM under keys that never leave this device, one for each name.
///
/// A key of 128 bits is made when its name is first used. The result is nonce (12 bytes), cipher text, tag (16 bytes).
package final class KeyStore: Sendable {
    private let keys: any DeviceKeys
    private let known = Mutex<[String: SecretBytes]>([:])

    private static let keyByteCount = 16
    private static let nameLimit = 64

    package init(keys: any DeviceKeys) { self.keys = keys }

    package var functions: [String: NativeFunction] {
        [
            "keystore_encrypt": .immediate { [self] bytes throws(NativeError) in
                let arguments = try Self.arguments(bytes)
                let key = try key(arguments.keyName)
                do throws(CryptographyError) {
                    return try AESGCM.seal(arguments.data, key: key)
                } catch {
                    throw .text(error.message)
                }
            },
            "keystore_decrypt": .immediate { [self] bytes throws(NativeError) in
                let arguments = try Self.arguments(bytes)
                let key = try key(arguments.keyName)
                do throws(CryptographyError) {
                    return try AESGCM.open(arguments.data, key: key)
                } catch {
                    throw .text("this was not encrypted with the key \(arguments.keyName) of this device")
                }
            },
        ]
    }

    private static func arguments(_ bytes: [UInt8]) throws(NativeError) -> KeystoreOpProto.CryptArgs {
        guard let arguments = try? KeystoreOpProto.CryptArgs(decoding: bytes) else {
            throw .text("the arguments cannot be read")
        }
        let isName = arguments.keyName.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isName, 1...nameLimit ~= arguments.keyName.utf8.count else {
            throw .text("the name of a key consists of small letters, digits and hyphens")
        }
        return arguments
    }

    /// The key of a name, made if there is none.
    private func key(_ name: String) throws(NativeError) -> SecretBytes {
        try known.withLock { known throws(NativeError) in
            if let key = known[name] { return key }
            do throws(DeviceKeyError) {
                let key: SecretBytes
                if let stored = try keys.load(name) {
                    key = stored
                } else {
                    key = SecretBytes.random(count: Self.keyByteCount)
                    try keys.store(key, as: name)
                }
                guard key.count == Self.keyByteCount else {
                    throw DeviceKeyError("the key \(name) of this device is damaged; put a copy back")
                }
                known[name] = key
                return key
            } catch {
                throw .text(error.message)
            }
        }
    }
}

/// Where keys of this device are kept. They never leave it.
package protocol DeviceKeys: Sendable {
    /// The key of a name; nil if there is none yet. Throws when there is one that cannot be read now.
    func load(_ name: String) throws(DeviceKeyError) -> SecretBytes?
    /// Keeps a new key, so that it survives a crash of the machine.
    func store(_ key: SecretBytes, as name: String) throws(DeviceKeyError)
}

package struct DeviceKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for a person.
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}
