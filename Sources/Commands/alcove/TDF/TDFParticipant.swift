import AppCore
import Catalogues
import Host

/// Files for a person whom a profile knows: sealed to one of their one-time keys, opened once by them.
struct TDFParticipant {
    private let arguments: Arguments

    static let sealOptions: [Arguments.Option] =
        [
            .value("to", "NAME", "seal to a one-time key of this person instead; see alcove circle list"),
            .flag("json", "with --to: print which key was used and how many are left as JSON; needs --output"),
        ] + ProfileOptions.all
    static let openOptions: [Arguments.Option] =
        [.flag("mine", "it was sealed to this profile with tdf seal --to; it opens once")] + ProfileOptions.all

    init(_ arguments: Arguments) { self.arguments = arguments }

    func seal(_ file: String, to name: String) async throws {
        let content = try ByteInput(file).readAll(atMost: AppHost.sealedFileLimit)
        // Before a key is used up.
        let output = try ByteOutput(arguments["output"], forOwnerOnly: false)
        let (sealed, notice) = try await ProfileOptions.attached(arguments) { host in
            let room = try await RoomOperand(text: name, isPerson: true).find(in: host, fits: \.isMember).id
            return try await explained {
                let sealed = try await host.sealFile(content, for: room)
                return (sealed, try await KeyNotice.sealed(sealed, in: room, on: host))
            }
        }
        try output.write(sealed)
        try output.finish()
        notice.warnAfterSealing()
        try report(notice)
    }

    func open(_ file: String) async throws {
        let sealed = try ByteInput(file).readAll(atMost: AppHost.sealedFileLimit + 4096)
        let notice = try await ProfileOptions.attached(arguments) { host in
            let (room, seal) = try await explained {
                try await host.openFile(sealed) { content in
                    let output = try ByteOutput(arguments["output"], forOwnerOnly: true, content: .shown)
                    try output.write(content)
                    try output.finish()
                }
            }
            return try await KeyNotice.opened(seal, in: room, on: host)
        }
        notice.warnAfterOpening()
        try report(notice)
    }

    private func report(_ notice: KeyNotice) throws {
        if arguments.has("json") { try Terminal.print(json: notice) }
    }

    /// The core's sentence for what went wrong.
    private func explained<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let failure as Failure {
            throw CommandFailure(failure.sentence, failure.code == .noKeys ? .unavailable : .dataError)
        }
    }
}
