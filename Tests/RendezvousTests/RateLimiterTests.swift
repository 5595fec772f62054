import Testing

@testable import Rendezvous

struct RateLimiterTests {
    private let limit = RateLimit(burst: 3, perMinute: 6)

    @Test func aBurstIsAllowedAndThenTheRate() {
        var limiter = RateLimiter(limit, capacity: 10, now: 0)
        for _ in 0..<3 { #expect(limiter.take("a", now: 0) == nil) }
        #expect(limiter.take("a", now: 0) == 10)
        #expect(limiter.take("a", now: 4_000) == 6)
        #expect(limiter.take("b", now: 4_000) == nil)
        #expect(limiter.take("a", now: 10_000) == nil)
        #expect(limiter.take("a", now: 10_000) == 10)
        for _ in 0..<3 { #expect(limiter.take("a", now: 10_000_000) == nil) }
        #expect(limiter.take("a", now: 10_000_000) != nil)
    }

    @Test func whatIsGivenBackDoesNotCount() {
        var limiter = RateLimiter(limit, capacity: 10, now: 0)
        for _ in 0..<50 {
            #expect(limiter.take("a", now: 0) == nil)
            limiter.giveBack("a")
        }
        for _ in 0..<50 { limiter.giveBack("a") }
        for _ in 0..<3 { #expect(limiter.take("a", now: 0) == nil) }
        #expect(limiter.take("a", now: 0) != nil)
    }

    @Test func aFloodOfSourcesSharesOneBucketAndSparesTheKnown() {
        var limiter = RateLimiter(limit, capacity: 10, now: 0)
        for source in 0..<10 { #expect(limiter.take("known \(source)", now: 0) == nil) }
        let passed = (0..<1000).filter { limiter.take("new \($0)", now: 0) == nil }
        #expect(passed.count == 3)
        #expect(limiter.count == 10)
        #expect(limiter.take("known 5", now: 0) == nil)
    }

    @Test func sourcesAtRestAreForgotten() {
        var limiter = RateLimiter(limit, capacity: 10, now: 0)
        for source in 0..<10 { _ = limiter.take("\(source)", now: 0) }
        #expect(limiter.take("new", now: 60_000) == nil)
        #expect(limiter.count == 1)
    }

    @Test func aClockThatIsSetBackLocksNobodyOut() {
        var limiter = RateLimiter(limit, capacity: 10, now: 1_000_000)
        for _ in 0..<3 { _ = limiter.take("a", now: 1_000_000) }
        #expect(limiter.take("a", now: 0) == 10)
        #expect(limiter.take("a", now: 10_000) == nil)
    }

    @Test func aLimitOfNothingLetsNothingThrough() {
        var limiter = RateLimiter(RateLimit(burst: 0, perMinute: 0), capacity: 10, now: 0)
        #expect(limiter.take("a", now: 0) == 86_400)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"),
        ("::1", "0:0:0:0::/64"),
        ("fe80::1%eth0", "fe80:0:0:0::/64"),
        ("", ""),
        (":", "::/64"),
    ])
    func oneNetworkCountsAsOneClient(_ address: String, _ key: String) {
        #expect(ClientAddress.key(address) == key)
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("10.0.0.1, 203.0.113.9", "203.0.113.9"), ("203.0.113.9:4711", "203.0.113.9"),
        ("spoofed, 2001:db8::1", "2001:db8::1"), ("", nil), (" ", nil), (String(repeating: "x", count: 100), nil),
    ])
    func onlyTheNearestProxyIsBelieved(_ header: String, _ address: String?) {
        #expect(ClientAddress.forwarded(header) == address)
    }
}
