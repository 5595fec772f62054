import Cryptography
import KeyAccess
import Networking

/// The public key of a key access service, as the service itself tells it.
struct PublishedKey {
    let id: String
    let key: EllipticCurve.PublicKey

    init(at address: String, authorities: String?) async throws {
        do throws(KeyAccessError) {
            let client = try KeyAccessClient(address, trust: .of(authorities))
            let published = try await client.publicKey()
            (id, key) = (published.id, published.publicKey)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension TLSTrust {
    /// The authorities in a PEM file, or those of the system.
    static func of(_ path: String?) -> TLSTrust { path.map { .authorities(path: $0) } ?? .system }
}

extension CommandFailure {
    init(_ error: KeyAccessError) {
        let code: ExitCode =
            switch error.code {
            case .permissionDenied, .unauthenticated, .notFound: .noPermission
            case .unavailable, .resourceExhausted: .unavailable
            case .badAnswer: .temporaryFailure
            case .refusedAddress: .usage
            case .invalidArgument, .unimplemented, .invalidConfiguration: .dataError
            }
        self.init(error.message, code)
    }
}
