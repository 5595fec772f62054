/// How long nodes wait for Redis and for each other. All of it has an effect only if something is slow or dead.
struct NodeTiming: Sendable, Equatable {
    /// How long a connection to Redis, or an answer of it, may take.
    var answer = Duration.seconds(2)
    /// How long a decision may wait behind others before it is refused; clients give up after ten seconds.
    var decision = Duration.seconds(5)
    /// How long a node counts as alive after its last sign of life, which it gives every second; and after how much
    /// silence on the subscription, on which a node hears its own signs of life, that is made anew.
    var life = Duration.seconds(4)
}
