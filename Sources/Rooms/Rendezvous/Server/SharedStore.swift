internal import Cryptography
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

    /// - Parameters:
    ///   - url: `redis://[[user]:password@]host[:port][/db]` or `redis+unix:///path[?db=N]`.
    ///   - secret: the same at all nodes, and known to nobody else: they prove by it what they tell each other.
    package init(_ url: String, secret: String) throws(RendezvousError) {
        do throws(RedisError) {
            address = try RedisAddress(url)
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
