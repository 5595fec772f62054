import Synchronization
import Testing

@testable import alcove

@Suite struct MoveProgressTests {
    @Test func `a move that lasts is told once a second, and a short one not at all`() {
        let said = Mutex<[String]>([])
        let start = ContinuousClock.now
        let progress = MoveProgress(from: start) { line in said.withLock { $0.append(line) } }
        for tenth in 0...25 { progress.tell(tenth, of: 25, at: start + .milliseconds(100 * tenth)) }
        #expect(said.withLock(\.self) == ["moving messages: 10 of 25", "moving messages: 20 of 25"])
    }

    @Test func `what a host process says is told on as it was said`() {
        let said = Mutex<[String]>([])
        let start = ContinuousClock.now
        let progress = MoveProgress(from: start) { line in said.withLock { $0.append(line) } }
        progress.tell(7, of: 9, at: start + .seconds(1))
        #expect(said.withLock(\.self).map { MoveProgress.line($0 + "\n") } == ["moving messages: 7 of 9"])
    }

    @Test(
        arguments: [
            ("moving messages: 1 of 9\nmoving messages: 2 of 9\n", "moving messages: 2 of 9"),
            ("moving messages: 1 of 9\r\n", "moving messages: 1 of 9"),
            ("alcove: the profile is locked\n", nil), ("", nil), ("\n", nil), ("moving house\n", nil),
            ("moving messages: 1 of 9\nalcove: the disk is full\n", nil),
        ] as [(String, String?)])
    func `only progress is taken for it`(said: String, line: String?) { #expect(MoveProgress.line(said) == line) }
}
