import AppCore

// The views' microphones, and who answers for them.

/// What the world remembers about recordings.
struct VoicesWorld: Sendable {
    /// When the microphone went on, by the recording.
    var since: [EffectID: Timestamp] = [:]
}

extension World {
    mutating func carryOutVoices(_ effect: Effect) -> Bool {
        switch effect.kind {
        case .recordVoice:
            switch settings.microphone {
            case .works: tell(.voiceBegan(effect: effect.id), about: effect.id)
            // The person has not answered the browser yet.
            case .asks: books.note(effect.id, .held)
            case .refused, .absent, .broken: fail(effect.id, settings.microphone.failure)
            }
        case .endVoice(let recording, let sends):
            done(effect.id)
            if sends { handOver(recording) } else { books.close(recording) }
        default: return false
        }
        return true
    }

    /// Voice messages have 32 kilobits a second.
    private mutating func handOver(_ recording: EffectID) {
        guard books[recording] != nil, let since = voices.since[recording] else { return }
        let length = min(since.milliseconds(until: now), RoomLimits.voiceMilliseconds)
        let media = Media.voice(duration: max(length, 1), waveform: [0, 90, 255, 90, 0])
        tell(
            .voiceRecorded(
                effect: recording, name: "voice.ogg", bytes: max(length, 1) * 4, handle: "voice-\(recording.number)",
                media: media), about: recording)
    }

    mutating func observeVoices(_ event: Event) {
        switch event {
        case .voiceBegan(let effect) where books[effect] != nil: voices.since[effect] = now
        case .voiceRecorded(let effect, _, _, _, _), .effectFailed(let effect, _), .effectDone(let effect):
            voices.since[effect] = nil
        default: break
        }
    }

    /// The person answers for the microphone, or pulls it out.
    mutating func setMicrophone(_ microphone: WorldSettings.Microphone) {
        settings.microphone = microphone
        for (effect, _) in books.open where effect.kind.isRecording {
            if voices.since[effect.id] == nil {
                treat(effect)
            } else if microphone == .absent || microphone == .broken {
                fail(effect.id, microphone.failure)
            }
        }
    }
}

extension WorldSettings.Microphone {
    fileprivate var failure: Failure {
        switch self {
        case .refused: Failure(.microphoneRefused)
        case .absent: Failure(.microphoneAbsent)
        case .works, .asks, .broken: Failure(.microphoneFailed)
        }
    }
}
