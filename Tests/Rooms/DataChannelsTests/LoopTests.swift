import Synchronization
import Testing

@testable import DataChannels

@Suite("The loop of connections", .timeLimit(.minutes(5)))
struct LoopTests {
    @Test("a loop looks before it sleeps only while it is answered at once, again and again")
    func patience() {
        var patience = Patience()
        #expect(!patience.looksFirst)
        for _ in 0..<7 { patience.waited(microseconds: 30) }
        #expect(!patience.looksFirst)
        patience.waited(microseconds: 30)
        #expect(patience.looksFirst)
        patience.waited(microseconds: 2000)
        #expect(!patience.looksFirst)
        for _ in 0..<100 { patience.waited(microseconds: 200) }
        #expect(!patience.looksFirst)
    }

    @Test("alarms ring once, in the order of their times, and not when they were cancelled or set later")
    func alarms() async {
        let loop = EventLoop(name: "alarms")
        let (rung, sink) = AsyncStream<Int>.makeStream()
        loop.submit {
            let now = Alarm.now
            let alarms = (0..<5).map { number in
                let alarm = Alarm(loop: loop)
                alarm.ring = { [weak alarm] in
                    sink.yield(number)
                    alarm?.remove()
                    if number == 4 { sink.finish() }
                }
                return alarm
            }
            // Far enough apart for a machine that stands still for a while in between.
            alarms[0].set(microseconds: now + 200_000)
            alarms[1].set(microseconds: now + 20_000)
            alarms[2].set(microseconds: now + 30_000)
            alarms[2].cancel()
            alarms[3].set(microseconds: now + 5000)
            alarms[3].set(microseconds: now + 400_000)
            alarms[4].set(microseconds: now + 600_000)
        }
        var order: [Int] = []
        for await number in rung { order.append(number) }
        #expect(order == [1, 0, 3, 4])
    }

    @Test("work from other threads does not wait for an alarm")
    func alarmAndWork() async {
        let loop = EventLoop(name: "alarm and work")
        let done = Mutex(false)
        loop.submit {
            let alarm = Alarm(loop: loop)
            alarm.ring = { done.withLock { $0 = true } }
            alarm.set(microseconds: Alarm.now + 3_600_000_000)
        }
        for _ in 0..<100 {
            await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
        }
        #expect(!done.withLock { $0 })
    }
}
