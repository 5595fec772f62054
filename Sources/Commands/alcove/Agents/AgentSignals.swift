import Dispatch
import Foundation

/// The signals that stop a turn or end a conversation, each time they come. From the moment this exists, none ends the process by itself.
final class AgentSignals: Sendable {
    /// The numbers of those that came, in order.
    let arrivals: AsyncStream<Int32>
    /// Dispatch's objects may be used from any thread; only their Swift types do not say so.
    nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingOldest(16))
        arrivals = stream
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // Before the source is made: on Linux it puts a handler of its own in this place.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                continuation.yield(number)
                Signals.endIfStuck(.global())
            }
            source.resume()
            return source
        }
    }
}
