import AppCore

extension WalkRun {
    /// A view reports on its microphone, and sometimes hands over what nobody wants to send.
    mutating func answerForTheMicrophone(_ effect: Effect) throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try tell(.effectDone(effect: effect.id))
        case 1:
            let media = chance(80) ? Media.voice(duration: 1000, waveform: [0, 255]) : .file
            try tell(
                .voiceRecorded(effect: effect.id, name: "voice.ogg", bytes: 4000, handle: "voice", media: media))
        default: try tell(.voiceBegan(effect: effect.id))
        }
    }
}

extension SimulatedCore {
    /// A view records in the conversation that it shows, where something can be said, and nowhere else.
    func checkRecordings() throws {
        guard let state = (self as? BuiltInCore)?.driver.state else { return }
        for view in state.views {
            guard let recording = view.recording else { continue }
            guard view.screen == Screen(.chat, room: recording.room), state.rooms[recording.room]?.canWrite == true,
                !state.lock.isLocked
            else { throw Fault("the view \(view.id) records where nothing can be said") }
            guard state.pendingEffects[recording.effect]?.isRecording == true else {
                throw Fault("the view \(view.id) records for an effect that is not open")
            }
        }
    }
}
