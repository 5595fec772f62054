import AppCore
import Catalogues
import Foundation
import Host

// What a person gives besides words: pictures, and what tools want to be given.

extension AgentChat {
    /// The next line is for a request. Where it would be seen it is not taken.
    func beginGiving(_ number: Int?) {
        let open = follower.questions.filter { $0.approval.input != nil }
        guard let question = number == nil && open.count == 1 ? open[0] : open.first(where: { $0.number == number })
        else {
            return screen.complain(open.isEmpty ? "no tool wants to be given anything" : "say which: /give N")
        }
        if question.approval.input == .secret, prompt == nil, isatty(STDIN_FILENO) == 1 {
            return screen.complain("what is typed in this terminal would be seen; answer in the page, or /reject it")
        }
        givesTo = question
        prompt?.hides = question.approval.input == .secret
        screen.tell("Type it and press Enter; an empty line gives nothing. It is kept nowhere.")
    }

    func give(_ question: AgentQuestion, _ line: TypedLine) async {
        givesTo = nil
        prompt?.hides = false
        guard case .line(let text) = line, !text.isEmpty else { return screen.tell("Nothing was given.") }
        do {
            let secret = try await host.hold(secret: text)
            let approval = question.approval
            try await host.change(
                agents: .giveAgent(session: id, approval: approval.id, of: approval.of, secret: secret))
        } catch { screen.complain("request \(question.number) is gone; nothing was given") }
    }

    /// Puts a picture beside the next question, or leaves out all that are there.
    func take(picture file: String?) async {
        guard let file else {
            for picture in follower.session.pictures ?? [] {
                await host.dispatch(.agents(.detachFromPrompt(session: id, picture: picture.id)))
            }
            return screen.tell("No picture goes along.")
        }
        do {
            try await attach(file)
            screen.tell("It goes along with the next question.")
        } catch { screen.complain("\(error.explanation)") }
    }

    func attach(_ file: String) async throws(CommandFailure) {
        let path = ProfileOptions.absolute((file as NSString).expandingTildeInPath)
        try await host.attach(path, to: id, as: file)
    }
}

extension ProfileHost {
    /// Puts a picture beside the next prompt of a session. Returns when the host has it.
    /// - Parameters:
    ///   - name: what its file is called in a failure.
    ///   - isOnly: whether no other file has its name, so that one that somebody else puts there meanwhile is not taken for it.
    @discardableResult
    func attach(
        _ path: String, to session: AgentSessionID, as name: String, isOnly: Bool = false
    ) async throws(CommandFailure) -> AgentPictureID {
        let file = (path as NSString).lastPathComponent
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
        let (before, told) = await read { state in
            (Set((state.talks[session]?.session.pictures ?? []).map(\.id)), Set(state.notices.map(\.id)))
        }
        await dispatch(
            .agents(
                .attachToPrompt(
                    session: session, name: file, bytes: Int64(size), handle: path)))
        // What others are told meanwhile is no answer to this; what a file turned out to be is told everywhere.
        let own = await view
        for await _ in await changes() {
            let (known, problem) = await read { state in
                let problem = state.notices.last {
                    $0.kind == .problem && $0.room == nil && ($0.view ?? own) == own && !told.contains($0.id)
                }
                return (state.talks[session]?.session, problem?.sentence)
            }
            guard let known else {
                throw CommandFailure("the session was deleted, or the profile locked", .unavailable)
            }
            let own = known.pictures?.first { !before.contains($0.id) && (!isOnly || $0.name == file) }
            if let own { return own.id }
            if let problem { throw CommandFailure("\(name): \(problem)", .noInput) }
        }
        throw await failure() ?? HostEnd.failure("the host process has ended")
    }
}
