/// The calls of this side that wait for replies.
struct OutgoingCalls {
    /// What becomes of the answers.
    enum Receiver: Sendable {
        /// Takes one reply. An observable's first value is taken for it.
        case reply(@Sendable (Result<ArraySlice<UInt8>?, RuntimeException>) -> Void)
        /// Takes values until there is an end, which may be an exception.
        case values(next: @Sendable ([UInt8]) -> Void, end: @Sendable (RuntimeException?) -> Void)

        func fail(_ exception: RuntimeException) {
            switch self {
            case .reply(let reply): reply(.failure(exception))
            case .values(_, let end): end(exception)
            }
        }
    }

    struct Call: Sendable {
        let kind: Envelope.Kind
        let path: [String]
        let body: (any CallBody)?
        let receiver: Receiver
        /// The number under which the call was made first, by which its maker knows it.
        fileprivate var firstNumber: UInt64?
        fileprivate var attempts = 0
        fileprivate var hasValues = false

        init(_ kind: Envelope.Kind, _ path: [String], _ body: (any CallBody)?, _ receiver: Receiver) {
            self.kind = kind
            self.path = path
            self.body = body
            self.receiver = receiver
        }

        func envelope(_ number: UInt64) -> [UInt8] { Envelope.encode(kind, number: number, path: path, body: body) }
    }

    /// How often a call is started again under another number.
    static let attemptLimit = 100

    private var calls: [UInt64: Call] = [:]
    /// Which number a call has now that was made again.
    private var renumbered: [UInt64: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    var count: Int { calls.count }

    mutating func add(_ call: Call) -> UInt64 {
        lastNumber += 1
        calls[lastNumber] = call
        return lastNumber
    }

    /// Takes out a call that has its last answer.
    mutating func remove(_ number: UInt64) -> Call? {
        guard let call = calls.removeValue(forKey: number) else { return nil }
        if let first = call.firstNumber { renumbered[first] = nil }
        return call
    }

    /// Takes out a call that its maker does not wait for any more, known by its first number.
    mutating func abandon(_ first: UInt64) -> (number: UInt64, call: Call)? {
        let number = renumbered[first] ?? first
        return remove(number).map { (number, $0) }
    }

    mutating func removeAll() -> [Call] {
        defer {
            calls = [:]
            renumbered = [:]
        }
        return Array(calls.values)
    }

    /// A value for the call. `isLast` says that it was taken as the reply, and that no more are wanted.
    mutating func value(for number: UInt64) -> (receiver: Receiver, isLast: Bool)? {
        guard let receiver = calls[number]?.receiver else { return nil }
        guard case .reply = receiver else {
            calls[number]?.hasValues = true
            return (receiver, false)
        }
        _ = remove(number)
        return (receiver, true)
    }

    /// Gives a call that was refused for its number another one.
    mutating func retry(_ number: UInt64) -> (number: UInt64, call: Call)? {
        guard var call = calls[number], !call.hasValues, call.attempts < Self.attemptLimit else { return nil }
        calls[number] = nil
        call.attempts += 1
        let first = call.firstNumber ?? number
        call.firstNumber = first
        let next = add(call)
        renumbered[first] = next
        return (next, call)
    }
}
