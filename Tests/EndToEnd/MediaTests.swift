import Foundation
import Testing

/// Pictures and voice messages in a conversation on the terminal.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MediaTests {
    /// Files that FFmpeg made.
    private static let samples = URL(fileURLWithPath: #filePath).appending(path: "../../../Fuzz/MediaHeaders/seeds")
        .standardizedFileURL.path

    @Test func `pictures go with their size and recordings as voice messages, and both can be taken`() async throws {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        ada.type("/file \(Self.samples)/plain.png")
        for process in [ada, ben] { try await process.expect("plain.png (105 bytes, 31\u{D7}17)") }
        ben.type("/accept")
        try await ben.expect("[Received: \(fixture.folder)/ben/Files/plain.png]")

        ada.type("/voice \(Self.samples)/opus.ogg")
        try await ben.expect("Voice message (2 kB, 0:02)")
        ben.type("/accept")
        try await ben.expect("[Received: \(fixture.folder)/ben/Files/opus.ogg]")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: fixture.folder + "/ben/Files/opus.ogg"))
                == Data(contentsOf: URL(fileURLWithPath: Self.samples + "/opus.ogg")))
    }

    @Test func `what only looks like a picture is a file, and what is no recording is not sent, with a reason`()
        async throws
    {
        let fixture = try await RoomFixture()
        let (ada, ben, _) = try await fixture.pair()
        let fake = fixture.folder + "/fake.png"
        try Data("no picture at all".utf8).write(to: URL(fileURLWithPath: fake))
        ada.type("/file \(fake)")
        try await ben.expect("fake.png (17 bytes)")
        ada.type("/voice \(fake)")
        try await ada.expect(
            "a voice message is a .wav, .ogg, .opus, .weba, .webm, .m4a or .mp4; /file sends it as a file")
        ada.type("/voice \(Self.samples)/fragments.m4a")
        try await ada.expect(
            "fragments.m4a was not sent: the file does not say how long the sound is; /file sends it as a file")
        ada.type("/voice")
        try await ada.expect("/voice PATH")
        #expect(!ben.lines.contains { $0.contains("Voice") })
    }

    @Test func `programs read how large a picture is and how long a voice message`() async throws {
        let fixture = try await RoomFixture()
        let (ada, code) = try await fixture.create("ada")
        let ben = try fixture.chat("ben", code, "--json")
        ada.type("/file \(Self.samples)/plain.jpg")
        #expect(try await ben.expect("plain.jpg").contains(#""height":24,"#))
        ada.type("/voice \(Self.samples)/plain.wav")
        #expect(try await ben.expect("Voice message").contains(#""duration":500,"#))
    }
}
