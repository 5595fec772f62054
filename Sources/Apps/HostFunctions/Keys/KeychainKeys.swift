#if canImport(Security)
package import Cryptography
internal import Foundation
internal import Security

/// Keys in the keychain of this device, readable after its first unlock and never synced to others.
package struct KeychainKeys: DeviceKeys {
    private let service: String

    /// - Parameter service: tells keys of different profiles apart.
    package init(service: String) { self.service = service }

    private func query(_ name: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name]
    }

    package func load(_ name: String) throws(DeviceKeyError) -> SecretBytes? {
        var query = query(name)
        query[kSecReturnData] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else {
            throw DeviceKeyError("the keychain does not give the key (\(status)); unlock the device and try again")
        }
        return SecretBytes(copying: data)
    }

    package func store(_ key: SecretBytes, as name: String) throws(DeviceKeyError) {
        var item = query(name)
        item[kSecValueData] = key.withUnsafeBytes { Data($0) }
        item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        let status = SecItemAdd(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw DeviceKeyError("the keychain does not take a key (\(status))") }
    }
}
#endif
