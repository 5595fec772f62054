import AppCore
import Catalogues
import Foundation
import Notifications

/// How long the next question on the desktop waits. Who says no must not be worn down until they say yes.
struct DesktopPause {
    private var declined = 0
    private var last = ContinuousClock.now

    private static let first = Duration.seconds(5)
    private static let longest = Duration.seconds(300)

    mutating func lengthen() { (declined, last) = (declined + 1, .now) }

    /// What is left of it now: nothing before the first no, then twice as long with each.
    var rest: Duration {
        guard declined > 0 else { return .zero }
        let whole = min(Self.first * (1 << min(declined - 1, 6)), Self.longest)
        return max(last + whole - .now, .zero)
    }
}

extension AppHost {
    /// How long the person has to answer on the desktop.
    private static let desktopPatience = Duration.seconds(120)

    func ask(_ effect: EffectID, about subject: DesktopSubject) {
        let (catalogue, pause) = (catalogue, desktopPause.rest)
        guard pause == .zero else {
            let wait = pause.components.seconds * 1000 + 1000
            let failure = Failure(.tooManyAttempts, retryable: true, retryAfter: wait)
            return dispatch(.event(.effectFailed(effect: effect, failure: failure)))
        }
        let question = DesktopQuestion(
            DesktopNotification(
                id: "question \(effect.number)", title: catalogue.text(subject.question),
                text: catalogue.text(subject.detail)), accept: catalogue.text(subject.acceptance))
        inBackground(effect) { [notifications] in
            if let folder = subject.folder { try Self.check(folder) }
            let answer = await notifications?.ask(question, patience: Self.desktopPatience) ?? .unavailable
            // Taken away with the lock, nobody has declined it.
            try Task.checkCancellation()
            await self.heard(answer)
            guard answer != .unavailable else { throw Failure(.desktopUnavailable) }
            return .desktopAnswered(effect: effect, isAccepted: answer == .accepted)
        }
        askedOnDesktop = effect
    }

    /// What is not there is not asked about.
    private nonisolated static func check(_ folder: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw Failure(.agentFolderMissing)
        }
        // Where a link leads may change after the answer.
        guard URL(fileURLWithPath: folder).resolvingSymlinksInPath().path == folder else {
            throw Failure(.tooMuchToShow)
        }
    }

    private func heard(_ answer: DesktopAnswer) {
        switch answer {
        case .accepted: desktopPause = DesktopPause()
        case .declined: desktopPause.lengthen()
        case .unavailable: break
        }
    }

    /// Nothing that was asked about stands above a locked profile, or one that is erased.
    func stopAskingOnDesktop() {
        guard let effect = askedOnDesktop.take() else { return }
        tasks[effect]?.cancel()
    }
}
