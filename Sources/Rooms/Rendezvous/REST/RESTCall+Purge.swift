internal import Networking
internal import Wire

/// How much a purge named and removed.
struct PurgeCounts: Equatable, Sendable {
    var devices = 0
    var rooms = 0
    var codes = 0
}

/// A purge of many ids takes long. It is decided in slices, so that the store can serve others in between.
extension RESTCall {
    /// Ids that are purged in one decision of the store.
    static let purgeSlice = 50

    /// The first slice of a long purge, and what remains; nil for everything else.
    func split() -> (first: RESTCall, rest: RESTCall)? {
        guard case .purge(let devices, let tickets) = self, devices.count > Self.purgeSlice else { return nil }
        let (first, rest) = (devices.prefix(Self.purgeSlice), devices.dropFirst(Self.purgeSlice))
        return (.purge(devices: Array(first), tickets: tickets), .purge(devices: Array(rest), tickets: tickets))
    }
}

extension RESTDecision {
    init(_ counts: PurgeCounts, news: News?) {
        let body: JSONValue = [
            "success": true, "deviceIdCount": .number(String(counts.devices)),
            "roomsDeleted": .number(String(counts.rooms)), "pendingsDeleted": .number(String(counts.codes)),
        ]
        self.init(.json(200, body), news: news)
        purged = counts
    }

    /// This decision with the counts of an earlier slice added.
    func adding(_ earlier: PurgeCounts?) -> RESTDecision {
        guard let earlier, let purged else { return self }
        let counts = PurgeCounts(
            devices: earlier.devices + purged.devices,
            rooms: earlier.rooms + purged.rooms,
            codes: earlier.codes + purged.codes
        )
        return RESTDecision(counts, news: news)
    }
}
