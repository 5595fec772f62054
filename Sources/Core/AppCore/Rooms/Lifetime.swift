/// How long a room's messages stay on both machines. Both people must agree on a change.
public enum Lifetime: String, Sendable, Hashable, Codable, CaseIterable {
    /// Until somebody deletes the room.
    case keep
    /// Never written to disk; gone when the room is left.
    case ephemeral
    case oneHour = "1h"
    case sixHours = "6h"
    case oneDay = "1d"
    case sevenDays = "7d"
    case thirtyDays = "30d"

    /// Seconds until a message goes; `nil` for ``keep`` and ``ephemeral``, which have no clock.
    public var seconds: Int64? {
        switch self {
        case .keep, .ephemeral: nil
        case .oneHour: 3600
        case .sixHours: 21_600
        case .oneDay: 86_400
        case .sevenDays: 604_800
        case .thirtyDays: 2_592_000
        }
    }

    /// The lifetime of so many seconds; `nil` if there is none.
    public init?(seconds: Int64) {
        guard let match = Self.allCases.first(where: { $0.seconds == seconds }) else { return nil }
        self = match
    }
}

/// A change of lifetime that one side asked for and the other has not answered.
public struct LifetimeProposal: Sendable, Hashable, Codable {
    /// The message that carried it; the answer names it.
    public var id: MessageID
    public var lifetime: Lifetime
    public var at: Timestamp
}
