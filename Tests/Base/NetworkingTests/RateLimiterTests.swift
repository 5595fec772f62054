import Testing

@testable import Networking

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
}
