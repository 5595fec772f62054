package import AppCore
import Foundation

/// What only the process with the keys can do.
extension RemoteHost {
    package func giveUpHandCarried() async { _ = try? await answer(to: .giveUp) }

    package func keysLeft(in room: RoomID) async throws -> KeysLeft {
        try await decoded(answer(to: .keysLeft, room: room))
    }

    package func revocationNotice(_ room: RoomID) async throws -> [UInt8]? {
        try await answer(to: .notice, room: room).map(Self.bytes)
    }

    package func sealFile(_ content: [UInt8], for room: RoomID) async throws -> [UInt8] {
        try await give(content)
        return try Self.bytes(await answer(to: .sealFile, room: room) ?? .null)
    }

    package func openFile(
        _ bytes: [UInt8], store: @Sendable ([UInt8]) throws -> Void
    ) async throws -> (room: RoomID, seal: Seal) {
        try await give(bytes)
        let file: OpenedFile = try await decoded(answer(to: .openFile))
        try store(Self.bytes(.string(file.content)))
        _ = try await answer(to: .fileStored)
        return (file.room, file.seal)
    }

    package func recorded(withContent: Bool) async throws -> RecordedFlight? {
        try await answer(to: .report, content: withContent).map { try $0.decoded(as: RecordedFlight.self) }
    }

    private func decoded<Value: Decodable>(_ answer: JSONValue?) throws -> Value {
        try (answer ?? .null).decoded(as: Value.self)
    }

    private static func bytes(_ answer: JSONValue) throws -> [UInt8] {
        guard let bytes = answer.string.flatMap({ Data(base64Encoded: $0) }) else { throw AttachError.refused(.failed) }
        return [UInt8](bytes)
    }
}

extension JSONValue {
    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSON.decode(Value.self, from: JSON.encode(self))
    }
}
