/// Counters for `/metrics`: what happened, never for which client.
struct Metrics: Sendable {
    private struct Labels: Hashable {
        let names: [String]
    }

    private var requests: [Labels: Int] = [:]
    private var rejected: [String: Int] = [:]
    private var closed: [String: Int] = [:]
    private var relayed = 0
    private var joined = 0
    private var pushed = 0
    private var storeFailures = 0
    private var storeLatency = Histogram()

    /// The current amounts.
    struct Gauges {
        /// Whether the node may get load.
        var isReady = true
        var sockets = 0
        var liveRooms = 0
        var watches = 0
        var store = StoreCounts()
    }

    mutating func request(_ route: Route, status: Int) {
        requests[Labels(names: [route.rawValue, String(status)]), default: 0] += 1
    }

    mutating func reject(_ reason: String) { rejected[reason, default: 0] += 1 }

    mutating func count(_ event: SignalingEvent) {
        switch event {
        case .joined: joined += 1
        case .relayed: relayed += 1
        case .pushed: pushed += 1
        case .closed(let reason): closed[reason.rawValue, default: 0] += 1
        }
    }

    mutating func stored(in time: Duration, failed: Bool) {
        storeLatency.add(time / .seconds(1))
        if failed { storeFailures += 1 }
    }

    /// The Prometheus text format, version 0.0.4.
    func text(_ gauges: Gauges) -> String {
        var page = PrometheusPage()
        page.add("ready", "gauge", "Whether the node may get load.", [("", gauges.isReady ? 1 : 0)])
        page.add("sockets", "gauge", "Open sockets.", [("", gauges.sockets)])
        page.add("live_rooms", "gauge", "Rooms with somebody in them.", [("", gauges.liveRooms)])
        page.add("watches", "gauge", "Codes that somebody waits for.", [("", gauges.watches)])
        page.add("rooms", "gauge", "Rooms in the store.", [("", gauges.store.rooms)])
        page.add("pending_rooms", "gauge", "Codes in the store.", [("", gauges.store.pendingRooms)])
        let byRoute = requests.map { labels, count in
            ("{route=\"\(labels.names[0])\",status=\"\(labels.names[1])\"}", count)
        }
        page.add("requests_total", "counter", "REST requests.", byRoute)
        page.add("rejected_total", "counter", "Requests and messages refused.", Self.byReason(rejected))
        page.add("closed_total", "counter", "Sockets closed by the server.", Self.byReason(closed))
        page.add("relayed_total", "counter", "Messages passed on.", [("", relayed)])
        page.add("joined_total", "counter", "Rooms entered.", [("", joined)])
        page.add("pushed_total", "counter", "Acceptances announced.", [("", pushed)])
        page.add("store_failures_total", "counter", "Decisions that the store failed.", [("", storeFailures)])
        page.add("store_seconds", "Time of the store for a decision.", storeLatency)
        return page.text
    }

    private static func byReason(_ counts: [String: Int]) -> [(String, Int)] {
        counts.map { ("{reason=\"\($0.key)\"}", $0.value) }
    }
}

/// A cumulative histogram of seconds.
struct Histogram: Sendable {
    static let bounds = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 1]
    /// How many values are at most each bound; the last entry counts all values.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    private(set) var sum = 0.0

    mutating func add(_ value: Double) {
        for (index, bound) in Self.bounds.enumerated() where value <= bound { counts[index] += 1 }
        counts[Self.bounds.count] += 1
        sum += value
    }
}

/// Builds a page of metrics.
private struct PrometheusPage {
    private(set) var text = ""

    mutating func add(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: Int)]) {
        head(name, type, help)
        for (labels, value) in values.sorted(by: { $0.labels < $1.labels }) {
            text += "alcove_rendezvous_\(name)\(labels) \(value)\n"
        }
    }

    mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, "histogram", help)
        let bounds = Histogram.bounds.map { String($0) } + ["+Inf"]
        for (bound, count) in zip(bounds, histogram.counts) {
            text += "alcove_rendezvous_\(name)_bucket{le=\"\(bound)\"} \(count)\n"
        }
        text += "alcove_rendezvous_\(name)_sum \(histogram.sum)\n"
        text += "alcove_rendezvous_\(name)_count \(histogram.counts.last ?? 0)\n"
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP alcove_rendezvous_\(name) \(help)\n# TYPE alcove_rendezvous_\(name) \(type)\n"
    }
}
