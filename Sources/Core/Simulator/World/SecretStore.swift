import AppCore

/// The secrets that a host would keep: join words, passphrases, credentials. They leave it in no answer, log or trace.
struct SecretStore: Sendable {
    private var secrets: [SecretRef: String] = [:]
    private var made = 0

    /// Puts a secret away; the reference says nothing about it.
    mutating func keep(_ secret: String, as prefix: String = "typed") -> SecretRef {
        made += 1
        let ref = SecretRef("\(prefix)-\(made)")
        secrets[ref] = secret
        return ref
    }

    mutating func put(_ secret: String, under ref: SecretRef) { secrets[ref] = secret }

    mutating func forget(_ refs: [SecretRef]) { for ref in refs { secrets[ref] = nil } }

    mutating func removeAll() { secrets.removeAll() }

    /// What a reference stands for. One that a script made up stands for itself.
    func resolve(_ ref: SecretRef) -> String { secrets[ref] ?? ref.text }

    /// Whether the reference was made here.
    func holds(_ ref: SecretRef) -> Bool { secrets[ref] != nil }

    /// Every secret, for a check that none of them got out.
    var all: [String] { Array(secrets.values) }
}
