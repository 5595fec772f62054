/// A voice message that a view records.
///
/// The view has the microphone, the sound, and how loud it is. The core has what a person is told of it and may do.
package struct VoiceRecording: Sendable, Hashable, Codable {
    package let room: RoomID
    /// The ``Effect/Kind/recordVoice(room:limit:)`` that asked for it.
    package let effect: EffectID
    /// When the microphone was on; `nil` while it is asked for.
    package internal(set) var since: Timestamp?
    /// Whether it is as long as it may be: the microphone is off, and the recording waits to be sent or thrown away.
    package internal(set) var isFull = false

    /// Whether the microphone is on.
    package var isOn: Bool { since != nil && !isFull }

    /// When it is as long as it may be.
    package var until: Timestamp? { since?.advanced(byMilliseconds: RoomLimits.voiceMilliseconds) }
}

extension Effect.Kind {
    /// Whether a view carries it out, as the host cannot: only the view may answer it.
    package var isRecording: Bool { if case .recordVoice = self { true } else { false } }
}
