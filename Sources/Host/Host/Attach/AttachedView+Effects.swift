import AppCore

/// Effects that a view carries out, because its person's devices are where it is: what becomes of them comes from its client.
extension AttachedView {
    /// Tells the core what became of an effect, if this view carries it out.
    func answer(_ n: UInt64, _ fresh: Fresh?, _ action: Action) async {
        guard case .event(let event) = action, let (effect, event) = event.ofView else {
            return say(.did(n: n, code: .misfit))
        }
        let isRepeated = fresh.map(done.contains) ?? false
        let isOpen = await host.read { [id] in
            $0.pendingEffects[effect]?.isRecording == true && $0.pendingEffects.asker(of: effect) == id
        }
        guard isOpen || isRepeated else { return say(.did(n: n, code: .gone)) }
        await happen(n, fresh, .event(event))
    }
}

extension Event {
    /// What a client may tell of an effect, without words of its own; `nil` for what only the host knows.
    fileprivate var ofView: (EffectID, Event)? {
        switch self {
        case .effectDone(let effect), .voiceBegan(let effect), .voiceRecorded(let effect, _, _, _, _): (effect, self)
        case .effectFailed(let effect, let failure):
            (effect, .effectFailed(effect: effect, failure: Failure(failure.code)))
        default: nil
        }
    }
}
