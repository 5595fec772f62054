@_exported public import Errors

/// Why the vault cannot be used. It never contains a passphrase, a key or sealed content.
///
/// Its message: one sentence for a person that says what to do.
public typealias VaultError = CodedError<VaultErrorCode>

/// The codes of ``VaultError``.
public enum VaultErrorCode: ErrorCode {
    /// There is no vault in the folder yet: create one.
    case missing
    /// There is one already.
    case alreadyExists
    /// Unlock it first.
    case locked
    /// The passphrase is wrong. The next attempt has to wait this many milliseconds.
    case wrongPassphrase(waitMilliseconds: Int64)
    /// The last wrong attempt was too recent. Nothing was tried; wait this many milliseconds.
    case tooEarly(waitMilliseconds: Int64)
    /// The vault is protected the other way: by a passphrase or by a device key.
    case otherProtection
    /// The vault has a passphrase, which is needed to change its protection.
    case currentPassphraseNeeded
    /// The device key is not there, or is another one than the vault was locked with.
    case deviceKeyUnusable
    /// Others may read the device key.
    case deviceKeyExposed
    /// The vault's file is damaged. Nothing was changed; put a copy back.
    case corrupt
    /// Sealed bytes were altered, or belong to another context or vault.
    case notAuthentic
    /// The vault holds as many older keys as it can. Nothing was changed: seal everything anew, have the vault retire them
    /// (``Vault/retireOldKeys()``), then try again.
    case tooManyKeys
    /// There is no room on the disk. Nothing was changed.
    case diskFull
    /// A file could not be read or written, or there was not enough memory.
    case failed
}
