internal import HostFunctions

/// Whether this machine has a network, now and from time to time.
package struct NetworkWatch: Sendable {
    /// How often it is looked at for those who watch.
    static let period: Duration = .seconds(10)

    private let look: @Sendable () -> Bool

    package init(_ look: (@Sendable () -> Bool)? = nil) { self.look = look ?? { NetworkPresence.isPresent } }

    var isPresent: Bool { look() }

    /// What it is now, and then each change.
    func changes() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            let watch = Task { [look] in
                var last: Bool?
                while !Task.isCancelled {
                    let present = look()
                    if present != last { continuation.yield(present) }
                    last = present
                    try? await Task.sleep(for: Self.period)
                }
            }
            continuation.onTermination = { _ in watch.cancel() }
        }
    }
}
