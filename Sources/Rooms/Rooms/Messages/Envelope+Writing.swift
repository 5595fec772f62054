import Wire

/// Field numbers of the envelope, as in `docs/protocols/room-messages.md`.
enum EnvelopeField {
    static let id = 1
    static let sequence = 2
    static let sentAt = 3

    static let text = 10
    static let file = 11
    static let location = 12
    static let lifetimeProposal = 13
    static let lifetimeAnswer = 14
    static let withdrawn = 15
    static let trust = 16
    static let relation = 17

    static let hello = 20
    static let receipt = 21
    static let read = 22
    static let typing = 23
    static let fileAnswer = 24
    static let fileChunk = 25
    static let fileChecked = 26
    static let fileCancelled = 27
    static let goodbye = 28
    static let fileSettled = 29
    static let sealing = 30
    static let filePaused = 31
}

extension Envelope {
    /// The envelope as protobuf.
    package var bytes: [UInt8] {
        var writer = ProtobufWriter()
        switch self {
        case .message(let message):
            writer.write(message.id.bytes, EnvelopeField.id)
            writer.write(message.sequence, EnvelopeField.sequence)
            writer.write(message.sentAt, EnvelopeField.sentAt)
            message.content.write(to: &writer)
        case .signal(let signal): signal.write(to: &writer)
        }
        return writer.bytes
    }
}

extension MessageContent {
    fileprivate func write(to writer: inout ProtobufWriter) {
        switch self {
        case .text(let text): writer.write(text, EnvelopeField.text)
        case .file(let file): writer.write(message: file.written, EnvelopeField.file)
        case .location(let location): writer.write(message: location.written, EnvelopeField.location)
        case .related(let relation, let text):
            writer.write(relation.fallback ?? text, EnvelopeField.text)
            writer.write(message: relation.written, EnvelopeField.relation)
        case .lifetimeProposal(let lifetime):
            writer.write(message: lifetime.written, EnvelopeField.lifetimeProposal)
        case .lifetimeAnswer(let proposal, let accepted):
            writer.write(
                message: .fields {
                    $0.write(proposal.bytes, 1); $0.write(accepted, 2)
                }, EnvelopeField.lifetimeAnswer)
        case .withdrawn: writer.write(message: ProtobufWriter(), EnvelopeField.withdrawn)
        case .trust: writer.write(message: ProtobufWriter(), EnvelopeField.trust)
        case .unknown: break
        }
    }
}

extension Relation {
    fileprivate var written: ProtobufWriter {
        .fields { fields in
            fields.write(message.bytes, 1)
            fields.write(kind.rawValue, 2)
            if version > 0 { fields.write(version, 3) }
        }
    }
}

extension OfferedFile {
    fileprivate var written: ProtobufWriter {
        .fields { fields in
            fields.write(name, 1)
            fields.write(bytes, 2)
            fields.write(sha256, 3)
            if let voice {
                fields.write(
                    message: .fields {
                        $0.write(voice.duration, 1); $0.write(voice.waveform, 2)
                    }, 4)
            }
            if let picture {
                fields.write(
                    message: .fields {
                        $0.write(picture.width, 1)
                        $0.write(picture.height, 2)
                        $0.write(picture.thumbnail, 3)
                    }, 5)
            }
        }
    }
}

extension SharedLocation {
    fileprivate var written: ProtobufWriter {
        .fields { fields in
            fields.write(latitude, 1)
            fields.write(longitude, 2)
            if let accuracy { fields.write(accuracy, 3) }
            if let measuredAt { fields.write(measuredAt, 4) }
        }
    }
}

extension AgreedLifetime {
    fileprivate var written: ProtobufWriter {
        .fields { fields in
            switch self {
            case .keep: break
            case .seconds(let seconds): fields.write(seconds, 1)
            case .ephemeral: fields.write(true, 2)
            }
        }
    }
}

extension Envelope.Signal {
    fileprivate func write(to writer: inout ProtobufWriter) {
        switch self {
        case .hello(let received, let first, let notes, let agents):
            writer.write(
                message: .fields {
                    $0.write(received, 1)
                    $0.write(first, 2)
                    $0.write(notes, 3)
                    $0.write(agents, 4)
                }, EnvelopeField.hello)
        case .receipt(let received): writer.write(message: .fields { $0.write(received, 1) }, EnvelopeField.receipt)
        case .read(let messages):
            writer.write(message: .fields { for id in messages { $0.write(id.bytes, 1) } }, EnvelopeField.read)
        case .typing(let on): writer.write(message: .fields { $0.write(on, 1) }, EnvelopeField.typing)
        case .fileAnswer(let id, let offset):
            writer.write(
                message: .fields {
                    $0.write(id.bytes, 1)
                    $0.write(offset != nil, 2)
                    $0.write(offset ?? 0, 3)
                }, EnvelopeField.fileAnswer)
        case .fileChunk(let id, let offset, let bytes):
            writer.write(
                message: .fields {
                    $0.write(id.bytes, 1)
                    $0.write(offset, 2)
                    $0.write(bytes, 3)
                }, EnvelopeField.fileChunk)
        case .fileChecked(let id, let intact):
            writer.write(
                message: .fields {
                    $0.write(id.bytes, 1); $0.write(intact, 2)
                }, EnvelopeField.fileChecked)
        case .fileCancelled(let id):
            writer.write(message: .fields { $0.write(id.bytes, 1) }, EnvelopeField.fileCancelled)
        case .filePaused(let id):
            writer.write(message: .fields { $0.write(id.bytes, 1) }, EnvelopeField.filePaused)
        case .fileSettled(let id):
            writer.write(message: .fields { $0.write(id.bytes, 1) }, EnvelopeField.fileSettled)
        case .sealing(let control): writer.write(control, EnvelopeField.sealing)
        case .goodbye(let forever): writer.write(message: .fields { $0.write(forever, 1) }, EnvelopeField.goodbye)
        case .unknown: break
        }
    }
}

extension ProtobufWriter {
    fileprivate static func fields(_ write: (inout ProtobufWriter) -> Void) -> ProtobufWriter {
        var writer = ProtobufWriter()
        write(&writer)
        return writer
    }
}
