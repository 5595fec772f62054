/// The calls that one end has made and that are not answered yet, by port and id.
struct CallsInFlight<Waiter> {
    /// Ids stay below this; other implementations wrap here too.
    static var idLimit: Int32 { 0x3fff_ffff }

    private struct Port {
        var lastID: Int32
        var waiting: [Int32: Waiter?] = [:]
    }

    private var ports: [String: Port] = [:]
    private let limit: Int
    private let lastID: Int32
    private(set) var count = 0

    /// - Parameter lastID: the id before the first one of each port.
    init(limit: Int, lastID: Int32 = 0) {
        self.limit = limit
        self.lastID = lastID
    }

    /// Takes an id, from 1 upwards on each port and past those in use. Nil when too many calls are in flight.
    mutating func reserve(on port: String) -> Int32? {
        guard count < limit else { return nil }
        var calls = ports[port] ?? Port(lastID: lastID)
        repeat {
            calls.lastID = calls.lastID + 1 < Self.idLimit ? calls.lastID + 1 : 1
        } while calls.waiting[calls.lastID] != nil
        calls.waiting[calls.lastID] = .some(nil)
        count += 1
        ports[port] = calls
        return calls.lastID
    }

    /// Says who waits for a reserved call. False if the call ended meanwhile.
    mutating func wait(_ waiter: Waiter, for id: Int32, on port: String) -> Bool {
        guard ports[port]?.waiting[id] != nil else { return false }
        ports[port]?.waiting[id] = waiter
        return true
    }

    /// Ends a call and tells who waits, if it is in flight at all: a reply may come late, or for no call.
    mutating func end(_ id: Int32, on port: String) -> Waiter? {
        guard let waiter = ports[port]?.waiting.removeValue(forKey: id) else { return nil }
        count -= 1
        return waiter
    }

    /// Ends all calls.
    mutating func endAll() -> [Waiter] {
        defer {
            ports = [:]
            count = 0
        }
        return ports.values.flatMap { $0.waiting.values.compactMap(\.self) }
    }

    /// Whether calls were ever made on the port.
    func knows(_ port: String) -> Bool { ports[port] != nil }
}
