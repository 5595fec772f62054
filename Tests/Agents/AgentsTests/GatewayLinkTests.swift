import Agents
import Testing

/// When a gateway is tried again, step by step.
@Suite struct GatewayLinkTests {
    private static let start = ContinuousClock.now

    @Test func `pauses double from one second to thirty`() {
        var backOff = GatewayBackOff()
        let pauses = (0..<8).map { _ in backOff.pause(lasted: nil, chance: 1) }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test(arguments: [(0.0, 0.75), (0.5, 0.875), (1, 1), (-3, 0.75), (7, 1)])
    func `a quarter of a pause is left to chance`(chance: Double, part: Double) {
        var backOff = GatewayBackOff()
        #expect(backOff.pause(lasted: nil, chance: chance) == .seconds(part))
    }

    @Test func `only a connection that lasted a minute starts the count anew`() {
        var backOff = GatewayBackOff()
        for _ in 0..<3 { _ = backOff.pause(lasted: nil, chance: 1) }
        // Let in and thrown out again: that is no success.
        #expect(backOff.pause(lasted: .seconds(59), chance: 1) == .seconds(8))
        #expect(backOff.pause(lasted: .seconds(60), chance: 1) == .seconds(1))
    }

    @Test func `a restart that was announced is waited for shortly, once`() {
        var backOff = GatewayBackOff()
        #expect(backOff.pause(lasted: .seconds(60), isAnnounced: true, chance: 1) == .milliseconds(500))
        #expect(backOff.pause(lasted: nil, isAnnounced: true, chance: 1) == .seconds(2))
    }

    @Test func `it connects, waits, and connects again`() {
        var link = GatewayLink()
        #expect(link.start() == [.connect])
        #expect(link.start().isEmpty)
        link.opened(now: Self.start)
        #expect(link.state == .open(since: Self.start))
        let lost = Self.start + .seconds(100)
        #expect(link.lost(.closed(code: 1006), now: lost, chance: 1) == [.wait(until: lost + .seconds(1))])
        #expect(link.timeCame(now: lost) == [.wait(until: lost + .seconds(1))], "too early")
        #expect(link.timeCame(now: lost + .seconds(1)) == [.connect])
        #expect(link.timeCame(now: lost + .seconds(1)).isEmpty)
        #expect(link.lost(.unreachable, now: lost + .seconds(2), chance: 1) == [.wait(until: lost + .seconds(4))])
        link.stop()
        #expect(link.timeCame(now: lost + .seconds(9)).isEmpty)
        #expect(link.lost(.unreachable, now: lost, chance: 1).isEmpty)
    }

    @Test(
        arguments: [
            (GatewayLink.Loss.refused(status: 401), AgentErrorCode.unauthorized),
            (.refused(status: 403), .unauthorized),
            (.refused(status: 404), .refused), (.refused(status: 400), .refused), (.refused(status: 301), .refused),
            (.refused(status: 429), nil), (.refused(status: 408), nil), (.refused(status: 500), nil),
            (.refused(status: 503), nil), (.wrongKey, .unauthorized), (.unreachable, nil),
            (.closed(code: 1000), nil), (.closed(code: 1001), nil), (.closed(code: 1006), nil),
            (.closed(code: 1011), nil), (.closed(code: 1012), nil), (.closed(code: 1013), nil),
            (.closed(code: 1008), nil), (.closed(code: 3000), .unauthorized), (.closed(code: 3003), .unauthorized),
            (.closed(code: 4401), .unauthorized), (.closed(code: 4403), .unauthorized), (.closed(code: 4000), nil),
        ] as [(GatewayLink.Loss, AgentErrorCode?)])
    func `a status or a code says whether another try is of use`(loss: GatewayLink.Loss, code: AgentErrorCode?) {
        var link = GatewayLink()
        _ = link.start()
        if case .closed = loss { link.opened(now: Self.start) }
        let steps = link.lost(loss, now: Self.start, chance: 1)
        if let code {
            #expect(steps == [.giveUp(code)] && link.state == .over)
        } else {
            #expect(steps == [.wait(until: Self.start + .seconds(1))])
        }
    }

    @Test func `what breaks a rule each time is given up`() {
        var link = GatewayLink()
        _ = link.start()
        var now = Self.start
        for attempt in 1...GatewayLink.violationLimit {
            link.opened(now: now)
            let steps = link.lost(.closed(code: 1009), now: now, chance: 1)
            guard attempt < GatewayLink.violationLimit else {
                #expect(steps == [.giveUp(.notUnderstood)])
                return
            }
            now += .seconds(60)
            #expect(link.timeCame(now: now) == [.connect])
        }
    }

    @Test func `a day of sleep is survived, and two days are not`() {
        var link = GatewayLink()
        _ = link.start()
        link.opened(now: Self.start)
        _ = link.lost(.closed(code: 1006), now: Self.start, chance: 1)
        let nextDay = Self.start + .seconds(24 * 3600)
        #expect(link.timeCame(now: nextDay) == [.connect])
        #expect(link.lost(.unreachable, now: nextDay, chance: 1) == [.wait(until: nextDay + .seconds(2))])
        _ = link.timeCame(now: nextDay + .seconds(2))
        let later = Self.start + .seconds(49 * 3600)
        #expect(link.lost(.unreachable, now: later, chance: 1) == [.giveUp(.unreachable)])
    }

    @Test func `a connection that stays gone is tried slower and slower`() {
        var link = GatewayLink()
        _ = link.start()
        var (now, tries) = (Self.start, 0)
        // What was found in another client: let in and thrown out again, it tried at the first pace for ever.
        while now < Self.start + .seconds(600) {
            link.opened(now: now)
            guard case .wait(let until)? = link.lost(.closed(code: 1000), now: now, chance: 0).first else { break }
            now = until
            _ = link.timeCame(now: now)
            tries += 1
        }
        #expect((20...32).contains(tries))
    }
}
