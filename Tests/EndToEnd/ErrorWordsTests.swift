import AppCore
import Foundation
import Host
import Testing

@testable import alcove

/// What a person reads of errors that no command expected.
@Suite struct ErrorWordsTests {
    @Test func `what the system refused is said in plain words`() {
        do {
            try FileManager.default.createDirectory(atPath: "/dev/null/x", withIntermediateDirectories: true)
            Issue.record("a folder was made in a file")
        } catch {
            let failure = CommandFailure(writing: "/dev/null/x", error)
            #expect(failure.explanation == "/dev/null/x cannot be written: a part of the path is a file, and no folder")
            #expect(failure.code == .cannotCreate)
            #expect(!ErrorWords.sentence(error).contains("could not be completed"))
        }
    }

    @Test func `an error of the core is its sentence, and not what it is made of`() {
        #expect(ErrorWords.sentence(Failure(.other, "port 1 is taken")) == "port 1 is taken")
        let revoked = ErrorWords.sentence(Failure(.trustRevoked, "detail for a log"))
        #expect(revoked.contains("trust") && !revoked.contains("detail"))
        #expect(ErrorWords.sentence(UsageError("say more")) == "say more")
    }

    @Test func `a host process that has ended says how to go on`() {
        #expect(
            ErrorWords.sentence(AttachError.ended(nil))
                == "the host process has ended; say the command again, and another one is started")
        // Some reasons say it themselves.
        let other = HostEnd.failure(AttachError.ended(.wrongVersion)).explanation
        #expect(other == "\(AttachError.ended(.wrongVersion))" && other.contains("alcove host stop"))
        #expect(ErrorWords.sentence(AttachError.refused(.locked)) == "the profile is locked")
    }

    @Test(arguments: ["", "  ", "\u{200B}", "\t\u{FEFF}"])
    func `a name that nobody could see is none`(name: String) {
        #expect(throws: UsageError.self) { try WrittenName.check(name) }
        #expect(throws: UsageError.self) { try WrittenName.check(agent: name) }
    }

    @Test func `an agent of one's own does not look like one of somebody else`() throws {
        #expect(throws: UsageError.self) { try WrittenName.check(agent: "helper@Ada") }
        try WrittenName.check(agent: "helper")
        try WrittenName.check("Ada @ home")
    }
}
