import Testing

@testable import Notifications

@Suite(.timeLimit(.minutes(2))) struct DesktopNotificationsTests {
    private static func notification(_ id: String, _ text: String = "Hi") -> DesktopNotification {
        DesktopNotification(id: id, title: "Ann", text: text)
    }

    /// How the attempt to show the first notification ends.
    private static func outcome(of notifications: DesktopNotifications) async -> NotificationState {
        for _ in 0..<3000 where notifications.state == .unused { try? await Task.sleep(for: .milliseconds(10)) }
        return notifications.state
    }

    @Test func aNotificationIsShownReplacedAndClosed() async throws {
        let desktop = try await Desktop(capabilities: ["body", "actions"])
        let notifications = DesktopNotifications(address: desktop.address)
        #expect(notifications.state == .unused)
        notifications.show(Self.notification("room-1"))
        let first = try await desktop.next()
        #expect(first.call == "notify" && first.replaced == 0 && first.title == "Ann" && first.text == "Hi")
        #expect(first.actions?.first == "default")
        notifications.show(Self.notification("room-1", "More"))
        let second = try await desktop.next()
        #expect(second.replaced == first.number && second.text == "More")
        notifications.close("room-1")
        let closed = try await desktop.next()
        #expect(closed.call == "close" && closed.number == first.number)
        #expect(notifications.state == .shown)
        await notifications.end()
    }

    @Test(arguments: [
        (["body", "body-markup"], "&lt;b&gt;1 &amp; 2&lt;/b&gt;"), (["body"], "<b>1 & 2</b>"),
    ]) func markupOfOthersIsText(capabilities: [String], shown: String) async throws {
        let desktop = try await Desktop(capabilities: capabilities)
        let notifications = DesktopNotifications(address: desktop.address)
        notifications.show(Self.notification("room-1", "<b>1 & 2</b>\0"))
        #expect(try await desktop.next().text == shown)
        await notifications.end()
    }

    @Test func whoChoosesANotificationIsHeard() async throws {
        let desktop = try await Desktop(capabilities: ["body", "actions"])
        let notifications = DesktopNotifications(address: desktop.address)
        var opened = notifications.opened.makeAsyncIterator()
        notifications.show(Self.notification("room-1"))
        let number = try #require(try await desktop.next().number)
        // The answer has arrived when the next one is shown.
        notifications.show(Self.notification("room-2"))
        _ = try await desktop.next()
        try await desktop.obey("click 4000")
        try await desktop.obey("click \(number)")
        #expect(await opened.next() == "room-1")
        await notifications.end()
    }

    @Test func whatThePersonPutAwayIsNotReplaced() async throws {
        let desktop = try await Desktop(capabilities: ["body", "actions"])
        let notifications = DesktopNotifications(address: desktop.address)
        var opened = notifications.opened.makeAsyncIterator()
        notifications.show(Self.notification("room-1"))
        notifications.show(Self.notification("room-2"))
        var numbers: [Int] = []
        for _ in 0..<2 { numbers.append(try #require(try await desktop.next().number)) }
        notifications.show(Self.notification("room-3"))
        numbers.append(try #require(try await desktop.next().number))
        try await desktop.obey("dismiss \(numbers[0])")
        try await desktop.obey("dismiss \(numbers[1])")
        // Signals come in order: when this one is here, the others are.
        notifications.show(Self.notification("room-4"))
        numbers.append(try #require(try await desktop.next().number))
        try await desktop.obey("click \(numbers[2])")
        #expect(await opened.next() == "room-3")
        notifications.show(Self.notification("room-1"))
        #expect(try await desktop.next().replaced == 0)
        await notifications.end()
    }

    // MARK: - Questions

    private static let question = DesktopQuestion(
        DesktopNotification(id: "question", title: "Add it?", text: "It runs: a <b> & c"), accept: "Add")

    @Test(arguments: [("accept", DesktopAnswer.accepted), ("dismiss", .declined)])
    func aQuestionIsAnsweredByItsButtonAlone(what: String, answer: DesktopAnswer) async throws {
        let desktop = try await Desktop(capabilities: ["body", "body-markup", "actions"])
        let notifications = DesktopNotifications(address: desktop.address)
        async let answered = notifications.ask(Self.question, patience: .seconds(60))
        let shown = try await desktop.next()
        #expect(shown.actions?.last == "Add" && shown.actions?.first?.hasPrefix("accept-") == true)
        #expect(shown.text == "It runs: a &lt;b&gt; &amp; c")
        #expect(shown.urgency == 2, "it stays until somebody answers")
        let number = try #require(shown.number)
        // Neither another one's button nor a click beside it is an answer.
        notifications.show(Self.notification("room-1"))
        let other = try #require(try await desktop.next().number)
        try await desktop.obey("accept \(other)")
        try await desktop.obey("click \(number)")
        try await Task.sleep(for: .milliseconds(700))
        try await desktop.obey("\(what) \(number)")
        #expect(await answered == answer)
        await notifications.end()
    }

    @Test func aQuestionIsNotAcceptedBeforeSomebodyCanHaveReadIt() async throws {
        let desktop = try await Desktop(capabilities: ["actions", "body"])
        let notifications = DesktopNotifications(address: desktop.address, reading: .seconds(3600))
        async let answered = notifications.ask(Self.question, patience: .seconds(60))
        let number = try #require(try await desktop.next().number)
        try await desktop.obey("accept \(number)")
        try await desktop.obey("dismiss \(number)")
        #expect(await answered == .declined)
        await notifications.end()
    }

    @Test func aQuestionThatNobodyAnswersIsDeclinedAndGoes() async throws {
        let desktop = try await Desktop(capabilities: ["actions", "body"])
        let notifications = DesktopNotifications(address: desktop.address)
        #expect(await notifications.ask(Self.question, patience: .milliseconds(300)) == .declined)
        #expect(try await desktop.next().call == "notify")
        #expect(try await desktop.next().call == "close")
        let asking = Task { await notifications.ask(Self.question, patience: .seconds(60)) }
        let number = try #require(try await desktop.next().number)
        asking.cancel()
        #expect(await asking.value == .declined)
        #expect(try await desktop.next().number == number)
        async let last = notifications.ask(Self.question, patience: .seconds(60))
        #expect(try await desktop.next().call == "notify")
        await notifications.end()
        #expect(await last == .declined)
    }

    @Test(arguments: [nil, [], ["body", "body-markup"], ["actions"]] as [[String]?])
    func whereNobodyCanAnswerNobodyIsAsked(capabilities: [String]?) async throws {
        let none = DesktopNotifications(address: nil)
        #expect(await none.ask(Self.question, patience: .seconds(60)) == .unavailable)
        let desktop = try await Desktop(capabilities: capabilities)
        let notifications = DesktopNotifications(address: desktop.address)
        #expect(await notifications.ask(Self.question, patience: .seconds(60)) == .unavailable)
        await notifications.end()
        #expect(await notifications.ask(Self.question, patience: .seconds(60)) == .unavailable)
    }

    @Test func theEndTakesEverythingAway() async throws {
        let desktop = try await Desktop(capabilities: ["body"])
        let notifications = DesktopNotifications(address: desktop.address)
        notifications.show(Self.notification("room-1"))
        #expect(try await desktop.next().call == "notify")
        await notifications.end()
        #expect(try await desktop.next().call == "close")
        notifications.show(Self.notification("room-1"))
        #expect(await notifications.opened.first { _ in true } == nil, "nobody is waited for any more")
    }

    @Test func withoutADesktopNothingHappens() async throws {
        let none = DesktopNotifications(address: nil)
        none.show(Self.notification("room-1"))
        #expect(none.state == .noBus)
        await none.end()
        let wrong = DesktopNotifications(address: "unix:path=/nonexistent/bus")
        wrong.show(Self.notification("room-1"))
        #expect(await Self.outcome(of: wrong) == .noBus)
        await wrong.end()
        let desktop = try await Desktop(capabilities: nil)
        let alone = DesktopNotifications(address: desktop.address)
        alone.show(Self.notification("room-1"))
        #expect(await Self.outcome(of: alone) == .noServer)
        await alone.end()
    }

    @Test func aDesktopThatIsSilentHoldsNobodyUp() async throws {
        let desktop = try await Desktop(capabilities: ["body"])
        let notifications = DesktopNotifications(address: desktop.address)
        try await desktop.obey("mute")
        for number in 0..<100 { notifications.show(Self.notification("room-\(number)")) }
        #expect(try await desktop.next().call == "notify")
        await notifications.end()
        #expect(await Self.outcome(of: notifications) == .noServer)
    }

    @Test func aBusThatEndsEndsNobodyElse() async throws {
        let desktop = try await Desktop(capabilities: ["body"])
        let notifications = DesktopNotifications(address: desktop.address)
        notifications.show(Self.notification("room-1"))
        #expect(try await desktop.next().call == "notify")
        desktop.endBus()
        notifications.show(Self.notification("room-2"))
        notifications.close("room-1")
        await notifications.end()
    }
}
