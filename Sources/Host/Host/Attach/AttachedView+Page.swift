import AppCore

/// What a client is, and so what it may do.
package enum ClientKind: Sendable {
    /// A program of the person, at the profile's socket. It may do all that the person may do.
    case program
    /// A page in a browser. It names no place on the disk but the folder in which an agent works: files come and go through its server. It lets
    /// nobody in, and ends nothing.
    case page
}

extension AttachedView {
    /// Why an action of a client does not happen.
    struct Denial: Error { let code: HostFrame.Code }

    /// The room in which a message gets the file that comes with an action; `nil` if none comes, or there is no such room.
    func roomOfFile(in action: Action) async -> RoomID? {
        switch action {
        case .chat(.sendFile(let room, _, _, _, _)): await host.read { $0.rooms[room]?.id }
        case .event(.voiceRecorded(let effect, _, _, _, _)): await host.read { $0.pendingEffects[effect]?.room }
        default: nil
        }
    }

    /// The action as it is to be carried out. What a page calls a file is the id of one that it gave.
    /// - Throws: ``Denial`` if a page means a place on the disk, or a file that it did not give.
    func placed(_ action: Action, _ fresh: Fresh, in room: RoomID?) async throws(Denial) -> Action {
        guard kind == .page else { return action }
        guard let uploads = server?.uploads else { throw Denial(code: .gone) }
        // What it may see the name of, others have given: a key that went to another server would be told to that.
        guard action.namedSecrets.allSatisfy(kept.contains) else { throw Denial(code: .gone) }
        switch action {
        // The file lies in a folder that is called like the room.
        case .chat(.sendFile(_, let name, _, let handle, let media)):
            guard let room, let upload = uploads.claim(handle, of: session, for: fresh.first, in: room.text)
            else { throw Denial(code: .gone) }
            return .chat(.sendFile(room: room, name: name, bytes: upload.bytes, handle: upload.path, media: media))
        case .event(.voiceRecorded(let effect, let name, _, let handle, let media)):
            guard let room, let upload = uploads.claim(handle, of: session, for: fresh.first, in: room.text)
            else { throw Denial(code: .gone) }
            return .event(
                .voiceRecorded(effect: effect, name: name, bytes: upload.bytes, handle: upload.path, media: media))
        case .circle(.openByHand(let handle)):
            guard let path = given(handle) else { throw Denial(code: .gone) }
            return .circle(.openByHand(handle: path))
        case .agents(.attachToPrompt(let session, let name, let bytes, let handle)):
            guard let path = given(handle) else { throw Denial(code: .gone) }
            return .agents(.attachToPrompt(session: session, name: name, bytes: bytes, handle: path))
        case .notes(.importNote(let name, let bytes, let handle, let folder)):
            guard let path = given(handle) else { throw Denial(code: .gone) }
            return .notes(.importNote(name: name, bytes: bytes, handle: path, folder: folder))
        case .apps(.installFile(let name, let handle)):
            guard let path = given(handle) else { throw Denial(code: .gone) }
            return .apps(.installFile(name: name, handle: path))
        case .app(.restoreProfile(let handle, let passphrase)):
            guard let path = given(handle) else { throw Denial(code: .gone) }
            return .app(.restoreProfile(handle: path, passphrase: passphrase))
        // What got into a page must not start programs of this machine: the person is asked outside of the browser.
        case .agents(.addAgent(let name, let command, let sandbox, nil)):
            return .agents(.proposeAgent(name: name, command: command, sandbox: sandbox))
        // Nor does it let others use this machine.
        case .agents(.shareAgent(let agent, let room, let folder, let readOnly, let ownerDecides)):
            return .agents(
                .proposeShare(agent: agent, room: room, folder: folder, readOnly: readOnly, ownerDecides: ownerDecides))
        // Programs that serve apps come in as files. Of a gateway only the host knows that it let this device in.
        case .chat(.saveFile), .agents(.addAgent), .agents(.addGateway), .agents(.noteDecision),
            .apps(.installApp), .apps(.chooseCore(bundle: _?)):
            throw Denial(code: .misfit)
        default: return action
        }
    }

    /// Where a file is that the client means: a page says the id of one that it gave, a program says the path.
    func given(_ handle: String) -> String? {
        kind == .program ? handle : server?.uploads.path(handle, of: session)
    }

    /// What a page gave is where it is wanted.
    func forget(_ handle: String) { if kind == .page { server?.uploads.drop(handle) } }

    /// Says what became of the file that a page gave for this action.
    func settle(_ action: Action, _ fresh: Fresh, in room: RoomID?) async {
        guard kind == .page, let room else { return }
        switch action {
        case .chat(.sendFile(_, _, _, let path, _)), .event(.voiceRecorded(_, _, _, let path, _)):
            let isUsed = await host.usesGivenFile(MessageID(fresh.first), in: room)
            server?.uploads.settle(path, isUsed: isUsed)
        default: return
        }
    }
}

extension Action {
    /// The secrets of the vault that it names.
    fileprivate var namedSecrets: [SecretRef] {
        switch self {
        case .agents(.addModel(_, _, _, let secret)),
            .agents(.editAgentForm(_, _, _, _, let secret, _, _)), .app(.addIceServer(_, _, let secret)),
            .rooms(.joinRoom(_, let secret, _)), .rooms(.editJoin(_, let secret, _)):
            [secret].compactMap(\.self)
        default: []
        }
    }
}
