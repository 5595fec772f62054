/// Wakes one listener. Raising it again before the listener comes changes nothing.
struct Signal: Sendable {
    let raised: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (raised, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func raise() { continuation.yield() }

    /// The listener is not waited for any more.
    func finish() { continuation.finish() }
}
