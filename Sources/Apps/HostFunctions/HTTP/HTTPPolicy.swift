public import Networking

/// Which URLs someone may ask for. It is asked for each request and each redirect.
public struct HTTPPolicy: Sendable {
    public enum Decision: Hashable, Sendable {
        case denied
        /// Only at addresses that everybody can reach: not on this machine, not in the networks that it is part of.
        case publicAddresses
        case anyAddress
    }

    public var decide: @Sendable (_ url: WebURL) -> Decision

    public init(_ decide: @escaping @Sendable (_ url: WebURL) -> Decision) { self.decide = decide }

    /// Every `https` and `wss` URL at a public address: for a core library.
    public static let secureWeb = HTTPPolicy { $0.isSecure ? .publicAddresses : .denied }

    /// The addresses that a decision leaves; nil are all.
    static func addresses(_ decision: Decision) -> AddressFilter? {
        guard decision != .anyAddress else { return nil }
        return { PublicAddress.contains($0) }
    }
}
