import AgentProtocols
import Agents
import AppCore
import Foundation
import Host
import Wire

// What is asked in them, and what the person in the editor answers.

extension EditorConnection {
    func ask(_ id: JSONRPCMessage.ID, _ session: String, _ prompt: ACPPrompt) async throws {
        let session = try open(session)
        if let known = opened[session], known.prompt != nil {
            guard known.talk.isCancelled, known.next == nil else {
                throw UsageError("a prompt is under way in this session")
            }
            opened[session]?.next = (id, prompt)
            return
        }
        guard !prompt.text.said.isEmpty else { throw UsageError("a prompt has to have words") }
        // As it goes to the host, a character may take six.
        guard prompt.text.utf8.count <= AgentTalkLimits.promptBytes,
            Wire.JSONValue.string(prompt.text).text.utf8.count <= 2 * AgentTalkLimits.promptBytes
        else {
            throw UsageError("a prompt has at most 256 KiB of text; name the files instead")
        }
        _ = try await agent()
        opened[session]?.starting = Opened.Start(id: id)
        defer { opened[session]?.starting = nil }
        let pictures = try await attach(prompt.pictures, to: session)
        guard let known = opened[session] else {
            await detach(pictures, of: session)
            throw CommandFailure("the session was closed or deleted", .unavailable)
        }
        guard known.starting?.isCancelled != true else {
            await detach(pictures, of: session)
            return finish(id, .stopped("cancelled"))
        }
        // Another one may have been asked while the pictures of this one were lent.
        guard known.prompt == nil else {
            await detach(pictures, of: session)
            throw UsageError("a prompt is under way in this session")
        }
        opened[session]?.talk.ask(prompt.text)
        opened[session]?.prompt = id
        do {
            try await host.change(agents: .askAgent(session: session, text: prompt.text, pictures: pictures))
        } catch {
            await detach(pictures, of: session)
            guard opened[session]?.prompt == id else { return }
            opened[session]?.talk.forgetPrompt()
            opened[session]?.prompt = nil
            throw error
        }
        // It may be withdrawn elsewhere before the session is looked at.
        if let now = await state(of: session) { opened[session]?.talk.noteQueued(in: now) }
        glance.yield()
    }

    /// The session as it is, without what was said in it.
    private func state(of session: AgentSessionID) async -> AgentSession? {
        await host.talk(session, from: .max, since: Timestamp(milliseconds: .max))?.session
    }

    /// Asks what the editor wanted to ask after a turn that it had cancelled.
    func askNext(in session: AgentSessionID) {
        guard let (id, prompt) = opened[session]?.next else { return }
        opened[session]?.next = nil
        Task { do { try await ask(id, session.text, prompt) } catch { finish(id, error) } }
    }

    func dropNext(of session: AgentSessionID) {
        guard let id = opened[session]?.next?.id else { return }
        opened[session]?.next = nil
        finish(id, .stopped("cancelled"))
    }

    /// Lends pictures to the host as files that nobody else can read.
    /// - Returns: what the host calls them. Others may stand beside what is written in the page: they stay there.
    private func attach(_ pictures: [String], to session: AgentSessionID) async throws -> [AgentPictureID] {
        guard !pictures.isEmpty else { return [] }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("alcove-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var kept: [AgentPictureID] = []
        do {
            for (index, base64) in pictures.prefix(AgentTalkLimits.pictures + 1).enumerated() {
                guard let picture = PromptPicture(base64: base64) else {
                    throw UsageError("a picture has to be PNG, JPEG, GIF or WebP")
                }
                let kind = picture.type.split(separator: "/").last ?? ""
                let path = "\(folder)/picture-\(UUID().uuidString.lowercased()).\(kind)"
                try Data(picture.bytes).write(to: URL(fileURLWithPath: path))
                kept.append(try await host.attach(path, to: session, as: "picture \(index + 1)", isOnly: true))
            }
        } catch {
            await detach(kept, of: session)
            throw error
        }
        return kept
    }

    private func detach(_ pictures: [AgentPictureID], of session: AgentSessionID) async {
        for picture in pictures {
            await host.dispatch(.agents(.detachFromPrompt(session: session, picture: picture)))
        }
    }

    func cancel(_ session: AgentSessionID) async {
        dropNext(of: session)
        opened[session]?.starting?.isCancelled = true
        // Of a prompt whose pictures are still lent there is no turn: one that runs is somebody else's.
        if let known = opened[session], known.starting != nil, known.prompt == nil { return }
        guard opened[session] != nil, let now = await state(of: session) else { return }
        if let waiting = opened[session]?.talk.cancel(in: now) {
            await host.dispatch(.agents(.withdrawPrompt(session: session, prompt: waiting)))
        } else {
            await host.dispatch(.agents(.stopAgent(session: session)))
        }
        glance.yield()
    }

    func answer(_ number: Int, _ answer: ACPPermissionRequest.Answer) async {
        guard let session = opened.first(where: { $0.value.asked[number] != nil })?.key,
            let approval = opened[session]?.asked.removeValue(forKey: number)
        else { return }
        switch answer {
        case .option(let option):
            guard let choice = AgentChoice(rawValue: option), approval.choices.contains(choice) else { fallthrough }
            // If it was decided elsewhere meanwhile, that counts.
            try? await host.change(
                agents: .answerAgent(session: session, approval: approval.id, of: approval.of, choice: choice))
        case .failed:
            take(
                EditorTalk.note("This editor could not ask you. Answer in the page of Alcove (alcove open)."),
                in: session)
        // It cancels the turn as well, or leaves the answer to somebody else.
        case .cancelled: Task { await remind(of: approval, in: session) }
        }
    }

    /// Who dismisses a question and cancels nothing does not see that the agent waits.
    private func remind(of approval: AgentApproval, in session: AgentSessionID) async {
        try? await Task.sleep(for: .seconds(2))
        guard await state(of: session)?.approvals.contains(where: { $0.id == approval.id }) == true,
            opened[session] != nil
        else { return }
        take(
            EditorTalk.note(
                "The agent waits for your answer. Answer in the page of Alcove (alcove open), or stop the turn."),
            in: session)
    }

    func choose(
        _ id: JSONRPCMessage.ID, _ session: AgentSessionID, _ kind: ACPSetting.Kind, _ option: String,
        _ method: ACPMethod
    ) async {
        do {
            let kind: AgentChooser.Kind = kind == .mode ? .mode : .model
            try await host.change(agents: .chooseForAgent(session: session, kind: kind, option: option))
            let settings = await host.wait(upTo: Self.choosing) { state in
                let session = state.talks[session]?.session
                let isChosen = session?.choosers?.contains { $0.kind == kind && $0.current == option } ?? true
                return isChosen ? session?.settings ?? [] : nil
            }
            guard let settings else { throw CommandFailure("the agent has not chosen it", .failure) }
            finish(id, method == .sessionSetConfigOption ? .options(settings) : .done)
        } catch { finish(id, error) }
    }

    /// How long an agent may take to do what was chosen.
    private static let choosing = Duration.seconds(10)
}
