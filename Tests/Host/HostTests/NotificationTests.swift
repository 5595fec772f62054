import AppCore
import Foundation
import Notifications
import Synchronization
import Testing

@testable import Host

@Suite(.timeLimit(.minutes(2))) struct NotificationTests {
    @Test func aMessageInARoomThatNobodyLooksAtIsToldOfOnTheDesktop() async throws {
        let hosts = try await TwoHosts()
        let desktop = Desktop()
        await hosts.ben.stop()
        hosts.ben = try await TwoHosts.host(hosts.folder + "/ben-again", hosts.url, notifications: desktop)
        try await hosts.meet()
        let (room, ben) = (try await hosts.expect(hosts.ben, "the room") { $0.rooms.first?.id }, hosts.ben)
        let there = try await hosts.expect(hosts.ada, "the room") { $0.rooms.first?.id }
        await ben.dispatch(.rooms(.closeRoom(room: room)))
        await ben.dispatch(.app(.setNotifications(content: .full)))

        await hosts.ada.dispatch(.chat(.sendText(room: there, text: "Are you there?\nReally?")))
        try await hosts.expect(ben, "the notification") { [desktop] _ in desktop.shown.isEmpty ? nil : true }
        #expect(desktop.shown == [DesktopNotification(id: room.text, title: "Ada", text: "Are you there?")])
        await ben.tellSeen()
        desktop.choose(room.text)
        try await hosts.expect(ben, "the way to the room") { $0.views.main.screen.room }
        try await hosts.expect(ben, "the answer") { [desktop] _ in desktop.closed.isEmpty ? nil : true }
        #expect(desktop.closed == [room.text])
        await hosts.stop()
        #expect(desktop.hasEnded)
    }

    @Test(arguments: [DesktopAnswer.accepted, .declined, .unavailable])
    func aProgramThatAPageAddsIsAskedAboutOnTheDesktop(answer: DesktopAnswer) async throws {
        let desktop = Desktop(answering: answer)
        let profile = ProfilePlace()
        let host = try await profile.start(notifications: desktop)
        await host.dispatch(
            .agents(.editAgentForm(name: "hel", command: nil, url: nil, model: nil, key: nil, folder: nil)))
        await host.dispatch(.agents(.proposeAgent(name: "helper", command: ["sh", "-c", "echo <b>"])))
        try await profile.expect("the answer") { state in
            state.views.main.agents.proposal?.failure != nil || !state.agents.inOrder.isEmpty
                || state.notices.contains { $0.text == "notice.agent_not_added" } ? true : nil
        }
        #expect(desktop.asked.map(\.notification.title) == ["Add the agent helper?"])
        #expect(desktop.asked.map(\.notification.text) == ["It gets all your rights. Its command: sh -c 'echo <b>'"])
        #expect(desktop.asked.map(\.accept) == ["Add it"])
        let (names, proposal) = await host.read { ($0.agents.inOrder.map(\.name), $0.views.main.agents.proposal) }
        #expect(names == (answer == .accepted ? ["helper"] : []))
        #expect((proposal?.failure?.code == .desktopUnavailable) == (answer == .unavailable))
        await profile.stop()
    }

    @Test(arguments: [DesktopAnswer.accepted, .declined, .unavailable])
    func anAgentThatAPageSharesIsAskedAboutOnTheDesktop(answer: DesktopAnswer) async throws {
        let hosts = try await TwoHosts()
        let desktop = Desktop(answering: answer)
        await hosts.ada.stop()
        hosts.ada = try await TwoHosts.host(hosts.folder + "/ada-again", hosts.url, notifications: desktop)
        try await hosts.meet()
        try await hosts.trust()
        let host = hosts.ada
        await host.dispatch(.agents(.addAgent(name: "helper", command: ["sh"])))
        let agent = try await hosts.expect(host, "the agent") { $0.agents.inOrder.first?.id }
        let room = try await hosts.expect(host, "the member") { $0.rooms.first { $0.isMember }?.id }
        // Where a link leads may change after a yes.
        let link = hosts.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: hosts.folder)
        for folder in [hosts.folder + "/nowhere", link, hosts.folder] {
            await host.dispatch(
                .agents(.proposeShare(agent: agent, room: room, folder: folder, readOnly: true, ownerDecides: false)))
            try await hosts.expect(host, "the answer") { state in
                state.pendingEffects.byID.values.contains { if case .askOnDesktop = $0 { true } else { false } }
                    ? nil : true
            }
        }
        #expect(
            desktop.asked.map(\.accept) == ["Share it"],
            "what is not there, or may become another place, is not asked about")
        let text = desktop.asked.first?.notification.text ?? ""
        #expect(
            text.contains(
                "may have it read “\(hosts.folder)”. It can change nothing and has no network. They answer what it asks."
            ))
        let (shares, proposal) = await host.read {
            ($0.agents.byID[agent]?.shares ?? [], $0.views.main.agents.sharing?.proposal)
        }
        #expect(shares.map(\.folder) == (answer == .accepted ? [hosts.folder] : []))
        #expect((proposal?.failure?.code == .desktopUnavailable) == (answer == .unavailable))
        await hosts.stop()
    }

    /// Keeps what it is to show.
    private final class Desktop: NotificationService {
        private struct Seen {
            var shown: [DesktopNotification] = []
            var closed: [String] = []
            var asked: [DesktopQuestion] = []
            var hasEnded = false
        }

        let opened: AsyncStream<String>
        private let choices: AsyncStream<String>.Continuation
        private let seen = Mutex(Seen())
        private let answer: DesktopAnswer

        /// - Parameter answer: what the person says to every question.
        init(answering answer: DesktopAnswer = .unavailable) {
            self.answer = answer
            (opened, choices) = AsyncStream.makeStream()
        }

        var shown: [DesktopNotification] { seen.withLock { $0.shown } }
        var asked: [DesktopQuestion] { seen.withLock { $0.asked } }
        var closed: [String] { seen.withLock { $0.closed } }
        var hasEnded: Bool { seen.withLock { $0.hasEnded } }
        var state: NotificationState { .shown }

        func ask(_ question: DesktopQuestion, patience: Duration) async -> DesktopAnswer {
            seen.withLock { $0.asked.append(question) }
            return answer
        }
        func show(_ notification: DesktopNotification) { seen.withLock { $0.shown.append(notification) } }
        func close(_ id: String) { seen.withLock { $0.closed.append(id) } }
        func choose(_ id: String) { choices.yield(id) }
        func end() async {
            seen.withLock { $0.hasEnded = true }
            choices.finish()
        }
    }
}
