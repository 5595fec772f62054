import AgentProtocols
import Testing
import Wire

@testable import Agents

/// A shared session over a link that breaks wherever it can: nothing is lost, nothing comes twice, nothing is asked twice.
@Suite struct SharedSessionTests {
    /// Messages of a turn that nothing interrupts.
    private static let messages: Int = {
        var world = SharingWorld()
        world.connect()
        world.ask(1)
        world.run()
        return world.delivered
    }()

    private static func expectWhole(_ world: SharingWorld, _ what: Comment) {
        #expect(world.said == SharingWorld.whole, what)
        #expect(world.started == [1], what)
        #expect(world.answers == ["yes"], what)
    }

    @Test func `without a break everything comes`() {
        #expect(Self.messages > 20)
        var world = SharingWorld()
        world.connect()
        world.ask(1)
        world.run()
        Self.expectWhole(world, "")
        #expect(!world.told.contains(.link(.away)))
    }

    @Test(arguments: 0...messages) func `cut after each message, it goes on where it stopped`(place: Int) {
        var world = SharingWorld()
        world.connect()
        world.ask(1)
        while world.delivered < place, world.step() {}
        world.cut()
        // What the agent says meanwhile is kept.
        world.run()
        world.connect()
        world.run()
        Self.expectWhole(world, "cut after \(place)")
        let link = world.told.filter { if case .link = $0 { true } else { false } }
        #expect(link == [.link(.away), .link(.back)])
    }

    @Test(arguments: 0...messages) func `the member's process ends after each message, and the next one goes on`(
        place: Int
    ) {
        var world = SharingWorld()
        world.connect()
        world.ask(1)
        while world.delivered < place, world.step() {}
        let isOver = world.told.contains(.turnEnded(.done))
        world.restartMember(inTurn: isOver ? nil : 1)
        world.run()
        world.connect()
        world.run()
        #expect(world.said == SharingWorld.whole)
        #expect(world.started == [1])
    }

    @Test(arguments: 0...messages) func `the owner's process ends after each message, and nobody claims to know more`(
        place: Int
    ) {
        var world = SharingWorld()
        world.connect()
        world.ask(1)
        while world.delivered < place, world.step() {}
        let (isOver, wasStarted) = (world.told.contains(.turnEnded(.done)), world.started == [1])
        world.restartOwner()
        world.connect()
        world.run()
        #expect(world.started == [1])
        if !wasStarted {
            #expect(world.said == SharingWorld.whole)
        } else {
            // What was said before is there, in order, and then the end.
            let before = world.said.dropLast()
            #expect(Array(before) == Array(SharingWorld.whole.prefix(before.count)))
            #expect(
                isOver ? before.count == SharingWorld.whole.count : before.count < SharingWorld.whole.count || isOver)
            guard case .ended? = world.said.last else { return #expect(Bool(false), "\(world.said)") }
            #expect(world.member.isOver)
        }
    }

    @Test(arguments: 0..<200) func `cuts, repetitions and late messages in any order change nothing`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var world = SharingWorld()
        world.ask(1)
        for _ in 0..<400 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: world.cut()
            case 1, 2: if !world.isUp { world.connect() }
            case 3: if let frame = world.toMember.randomElement(using: &random) { world.toMember.append(frame) }
            case 4: if let frame = world.toOwner.randomElement(using: &random) { world.toOwner.append(frame) }
            case 5: world.toMember.shuffle(using: &random)
            case 6: if world.toMember.count > 1 { world.toMember.removeFirst() }
            default: _ = world.step()
            }
        }
        world.cut()
        world.connect()
        world.run()
        Self.expectWhole(world, "seed \(seed)")
    }

    @Test func `a prompt that never went out is taken back, and one that did is stopped at its owner's`() {
        var member = MemberSession(session: "s", agent: "a", heard: 0)
        #expect(member.prompt(turn: 1, "go") == [])
        #expect(member.cancel() == [.event(.turnEnded(.cancelled))])
        #expect(member.linked() == [.send(.resume(session: "s", agent: "a", after: 0))])
        #expect(member.receive(.state(session: "s", first: 1, last: 0, turn: 0)) == [])
        #expect(member.prompt(turn: 2, "go") == [.send(.prompt(session: "s", turn: 2, text: "go"))])
        #expect(member.cancel() == [.send(.cancel(session: "s", turn: 2))])
        // It is said again after a break, until the turn is over.
        #expect(member.unlinked() == [.event(.link(.away))])
        _ = member.linked()
        #expect(
            member.receive(.state(session: "s", first: 1, last: 0, turn: 2)) == [
                .send(.cancel(session: "s", turn: 2)), .event(.link(.back)),
            ])
    }

    @Test func `an end from before the prompt is not the end of its turn`() {
        var member = MemberSession(session: "s", agent: "a", heard: 4)
        _ = member.prompt(turn: 2, "go")
        _ = member.linked()
        _ = member.receive(.state(session: "s", first: 1, last: 5, turn: 1))
        #expect(
            member.receive(.event(session: "s", sequence: 5, SharedEvent(.ended))) == [
                .event(.link(.position(5))), .event(.link(.anew)),
            ])
        #expect(!member.isOver)
    }

    @Test func `an answer that came too late is told`() {
        var member = MemberSession(session: "s", agent: "a", heard: 0)
        _ = member.linked()
        _ = member.receive(.state(session: "s", first: 1, last: 0, turn: 0))
        #expect(member.answer(7, option: "yes") == [.send(.answer(session: "s", request: 7, option: "yes"))])
        let late = [MemberSession.Output.event(.link(.tooLate(.init(number: 7))))]
        #expect(member.answer(7, option: "no") == late)
        #expect(member.receive(.answerRefused(session: "s", request: 7, .gone)) == late)
        #expect(member.receive(.answerRefused(session: "s", request: 7, .gone)) == [])
    }

    // MARK: The log

    private static func text(_ count: Int) -> SharedEvent {
        SharedEvent(.text, ["text": .string(String(repeating: "x", count: count))])
    }

    @Test func `a log is bounded: what was taken goes, and what was not holds the agent back`() {
        var log = SharedLog()
        var full = 0
        for number in 1...100_000 {
            _ = log.append([Self.text(100)])
            if log.isFull { full += 1 } else { #expect(log.count <= SharingLimits.logEvents + 1) }
            if log.isFull { log.received(through: number) }
        }
        #expect(full > 0 && !log.isFull)
        var large = SharedLog()
        while !large.isFull { _ = large.append([Self.text(30_000)]) }
        #expect(large.count < 200)
    }

    @Test func `no more is on its way than the window`() {
        var log = SharedLog()
        for _ in 0..<100 { _ = log.append([Self.text(30_000)]) }
        #expect(log.nextToSend() == nil)
        _ = log.follow("s", after: 0)
        var (sent, last) = (0, 0)
        while let entry = log.nextToSend() { (sent, last) = (sent + 1, entry.sequence) }
        #expect(sent > 30 && sent < 40)
        log.received(through: last)
        #expect(log.nextToSend()?.sequence == last + 1)
    }

    @Test func `a number never means two things, also after a loss of power on the owner's side`() {
        var log = SharedLog()
        _ = log.append([Self.text(1), Self.text(2)])
        // The member has heard five.
        #expect(log.follow("s", after: 5) == .state(session: "s", first: 6, last: 5, turn: 0))
        #expect(log.append([Self.text(3)]).map(\.sequence) == [6])
        #expect(log.nextToSend()?.sequence == 6)
    }

    @Test func `a member whose machine lost power gets again what is still there, and hears what is missing`() {
        var log = SharedLog()
        for _ in 0..<3 { _ = log.append([Self.text(1)]) }
        _ = log.follow("s", after: 3)
        _ = log.follow("s", after: 1)
        #expect(log.nextToSend()?.sequence == 2)
        var member = MemberSession(session: "s", agent: "a", heard: 1)
        _ = member.linked()
        #expect(
            member.receive(.state(session: "s", first: 5, last: 4, turn: 1)) == [
                .event(.text(AgentText("", omitted: 3))), .event(.link(.position(4))),
            ])
    }
}

/// The same numbers for the same seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
