internal import Cryptography
internal import Networking
internal import Redis

/// A Redis that several servers share, which are then nodes of one server.
package struct SharedStore: Sendable, Equatable, CustomStringConvertible {
    let address: RedisAddress
    private let secret: SecretBytes
    /// What all keys and channels begin with.
    var namespace = "alcove:"
    var timing = NodeTiming()

    /// The fewest characters of a secret.
    package static let secretSize = 32

    /// Files and a password that are not part of the address.
    package struct Access: Sendable {
        /// Instead of one in the address, which whoever may list processes could read.
        package var password: String?
        /// PEM file with the authorities that Redis's certificate is checked against; nil for those of the system.
        package var authorities: String?
        /// PEM files with the certificate and the key of this client, for a Redis that asks for one.
        package var identity: (certificate: String, key: String)?

        package init() {}

        fileprivate func apply(to address: RedisAddress) throws(RedisError) -> RedisAddress {
            var address = address
            if authorities != nil || identity != nil {
                guard address.tls != nil else {
                    throw RedisError(.invalidAddress, "certificates go with rediss:// or rediss+sentinel://")
                }
                if let authorities { address.tls?.trust = .authorities(path: authorities) }
                address.tls?.identity = identity.map {
                    TLSIdentity(certificatePath: $0.certificate, keyPath: $0.key)
                }
            }
            if let password {
                guard address.password == nil else {
                    throw RedisError(.invalidAddress, "there are two passwords: one in the address and one besides it")
                }
                address.password = password
            }
            guard address.user == nil || address.password != nil else {
                throw RedisError(.invalidAddress, "the address of Redis has a user and no password")
            }
            return address
        }
    }

    /// - Parameters:
    ///   - url: as ``RedisAddress`` reads it.
    ///   - secret: the same at all nodes, and known to nobody else: they prove by it what they tell each other.
    package init(_ url: String, access: Access = Access(), secret: String) throws(RendezvousError) {
        do throws(RedisError) {
            address = try access.apply(to: try RedisAddress(url))
        } catch {
            throw RendezvousError(.cannotOpenStore, error.message)
        }
        guard secret.utf8.count >= Self.secretSize else {
            throw RendezvousError(
                .cannotOpenStore, "the secret of the nodes needs at least \(Self.secretSize) characters")
        }
        self.secret = SecretBytes(copying: Array(secret.utf8))
    }

    /// The key for one purpose.
    func key(for purpose: StaticString) -> SecretBytes {
        SecretBytes(copying: HMAC.code(Array("alcove rendezvous \(purpose)".utf8), key: secret))
    }

    package var description: String { address.description }
}
