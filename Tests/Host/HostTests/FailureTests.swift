import AppCore
import Storage
import Testing

@testable import Host

@Suite struct FailureTests {
    @Test(
        arguments: [
            (CancellationError(), Failure.Code.cancelled), (FileCopy.Problem.cancelled, .cancelled),
            (FileCopy.Problem.source(FileError(.missing, reason: "gone")), .fileUnreadable),
            (FileCopy.Problem.target(FileError(.denied, reason: "closed")), .placeUnwritable),
            (FileCopy.Problem.target(FileError(.full, reason: "full")), .diskFull),
        ] as [(any Error, Failure.Code)]) func errorsBecomeFailures(error: any Error, code: Failure.Code)
    {
        #expect(Failure(error).code == code)
    }
}
