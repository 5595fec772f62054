import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a confined app may try against the process that runs it, and that of all others.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct HostileAppTests {
    /// An app with files of its own that runs `script`.
    private func install(_ script: String, on desk: AppDesk, more: String = "") async throws {
        try desk.write(
            """
            {"appDomain": "evil.example", "version": "1.0.0", "name": "Evil", "components": {"/main.mjs": {"runtime": "deno",
             "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "storage": {"appFS": "default"}\(more)}}}}
            """, to: "evil/manifest.json")
        try desk.write(script, to: "evil/main.mjs")
        try await desk.run("install evil --yes")
    }

    /// The first terminal runs the apps of both, so what ends it ends the waiter.
    @Test func `no expression of a search ends the host`() async throws {
        let desk = try await AppDesk().withWaiter()
        let waiter = try await desk.startWaiter("one")
        try await install(
            #"""
            const files = await w3n.storage.getAppLocalFS();
            for (const name of 'abcde') await files.writeTxtFile(name, '');
            const long = (part) => part.repeat(200_000);
            const expressions = ['a' + long('{1}'), long('|'), long('('), 'a' + long('?'), 'a' + long('*'), '(' + long('|') + ')',
              '[' + 'b'.repeat(20_000_000) + ']', long('(a|'), long('[a'), long('\\')];
            for (const p of expressions) for (const type of ['regexp', 'pattern']) {
              try {
                const found = await files.select('', { name: { p, type }, action: 'include' });
                await found.completion;
                await w3n.log('info', 'found');
              } catch (error) { await w3n.log('info', `refused: ${error.badFnCallArguments}`); }
            }
            const found = await files.select('', { name: { p: '^[b-d]$', type: 'regexp' }, action: 'include' });
            await found.completion;
            await w3n.log('info', `found ${(await found.items.getAll()).length}`);
            w3n.closeSelf();
            """#, on: desk)
        let lines = try await desk.run("run evil go").split(separator: "\n")
        #expect(lines == Array(repeating: "refused: true", count: 20) + ["found 3"])
        try desk.endWaiter("one")
        try await waiter.expect("one is done")
        #expect(try await waiter.exitCode() == 0)
    }
}
