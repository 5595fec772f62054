/// The effects that were issued and not answered yet, and the numbers for the next ones.
public struct EffectLedger: Sendable, Hashable {
    public private(set) var pending: [EffectID: Effect.Kind] = [:]
    /// The number of the next effect.
    private(set) var next: UInt64 = 1
    /// Numbers below this one are spoken for on disk: reserving many at once saves a write per effect.
    private(set) var reserved: UInt64 = 1
    /// The next wake-up that was asked for.
    private(set) var alarm: Alarm?

    public struct Alarm: Sendable, Hashable, Codable {
        public var effect: EffectID
        public var at: Timestamp
    }

    static let block: UInt64 = 1024

    public init() {}

    public subscript(id: EffectID) -> Effect.Kind? { pending[id] }

    /// Continues after a restart above every number that may have been used.
    mutating func resume(from reserved: UInt64) {
        next = max(next, reserved)
        self.reserved = max(self.reserved, next)
    }

    /// The number for a new effect, and whether the ``RecordKey/counters`` record has to be saved.
    mutating func number() -> (id: EffectID, reserves: Bool) {
        let id = EffectID(next)
        next &+= 1
        guard next > reserved else { return (id, false) }
        reserved = next &+ Self.block
        return (id, true)
    }

    mutating func add(_ id: EffectID, _ kind: Effect.Kind) { pending[id] = kind }

    /// Takes an effect out: it was answered, or nobody cares any more.
    @discardableResult
    mutating func remove(_ id: EffectID) -> Effect.Kind? { pending.removeValue(forKey: id) }

    mutating func setAlarm(_ alarm: Alarm?) { self.alarm = alarm }
}

extension EffectLedger: Codable {
    private enum Key: CodingKey {
        case pending, next, reserved, alarm
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for effect in try container.decode([Effect].self, forKey: .pending) { pending[effect.id] = effect.kind }
        next = try container.decode(UInt64.self, forKey: .next)
        reserved = try container.decode(UInt64.self, forKey: .reserved)
        alarm = try container.decodeIfPresent(Alarm.self, forKey: .alarm)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        let effects = pending.map { Effect(id: $0.key, kind: $0.value) }.sorted { $0.id < $1.id }
        try container.encode(effects, forKey: .pending)
        try container.encode(next, forKey: .next)
        try container.encode(reserved, forKey: .reserved)
        try container.encodeIfPresent(alarm, forKey: .alarm)
    }
}
