import Foundation
import ProgramRunner

/// A reader who does what a page says, line by line, on machines that exist only for that: with homes of their own, in a network
/// that nobody else has. So the pages keep their addresses and ports as they are: `rendezvous.example` leads here.
final class PageRun {
    /// Generous, because it only guards against hanging.
    private static let patience = Duration.seconds(90)

    /// Whether `make core` has been run.
    static let hasCoreLibrary = FileManager.default.fileExists(
        atPath: Program.repository.appending(path: ".build/release/alcove_core.pc").path)

    private let steps: [PageStep]
    private let folder: URL
    private var terminals: [String: PageTerminal] = [:]
    private var machine: RunningProgram?
    private var names: ExpectedOutput.Names = [:]
    /// What goes on in a terminal, to be ended there.
    private var staying: [String: PageStep] = [:]

    init(_ page: Page) throws {
        steps = try PageStep.steps(of: page)
        folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "page-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder.appending(path: "work"), withIntermediateDirectories: true)
    }

    deinit {
        // Whatever runs in it ends with it.
        machine?.signal(SIGKILL)
        _ = machine?.exitCode(within: .seconds(10))
        try? FileManager.default.removeItem(at: folder)
    }

    func play() async throws {
        try start()
        for step in steps {
            switch step.kind {
            case .file(let name):
                try Data((step.block.text + "\n").utf8).write(to: folder.appending(path: "work/\(name)"))
            case .typed("^C"): try terminals[step.terminal]?.type("\u{3}")
            case .typed(let line): try terminals[step.terminal]?.type(line + "\n")
            case .command(let command, let expected, let stays):
                try await end(step.terminal, of: step)
                try await run(command, expected, stays, step)
            }
        }
        for (name, step) in staying {
            try terminals[name]?.type("\u{3}")
            try await end(name, of: step)
        }
    }

    /// Waits until what ran before in the terminal has ended, and well.
    private func end(_ name: String, of step: PageStep) async throws {
        guard let terminal = terminals[name], let before = staying.removeValue(forKey: name) else { return }
        try await wait(step, terminal, "what runs there does not end") { !terminal.isBusy }
        let (text, status) = terminal.output
        guard status == 0 else {
            throw PageBlock.Mistake(before.block, "what stayed ended with \(status ?? -1); it printed:\n\(text)")
        }
    }

    private func run(_ command: String, _ expected: [String]?, _ stays: Bool, _ step: PageStep) async throws {
        guard let terminal = terminals[step.terminal] else { return }
        try terminal.run(ExpectedOutput.command(command, names))
        let shown = ExpectedOutput(
            expected ?? ["…"], numbersDiffer: step.block.has("numbers-differ"), names: names)
        var answered: [String: Int] = [:]
        if stays { staying[step.terminal] = step }
        try await wait(step, terminal, "`\(command)` does not print what the page says") {
            let (text, status) = terminal.output
            if let status {
                guard status == 0, let learnt = shown.names(in: text, isWhole: true) else {
                    throw PageBlock.Mistake(
                        step.block,
                        "`\(command)` ended with \(status) and printed:\n\(text)"
                            + (expected.map { "but the page says:\n" + $0.joined(separator: "\n") } ?? ""))
                }
                names = learnt
                return true
            }
            if stays, let learnt = shown.names(in: text, isWhole: false) {
                names = learnt
                return true
            }
            let question = String(text[(text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex)...])
            if let answer = shown.answer(to: question, after: answered[question] ?? 0) {
                answered[question, default: 0] += 1
                try terminal.type(answer + "\n")
            }
            return false
        }
    }

    private func wait(
        _ step: PageStep, _ terminal: PageTerminal, _ otherwise: String, until isDone: () throws -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            if try isDone() { return }
            guard machine?.isRunning == true else { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw PageBlock.Mistake(step.block, "\(otherwise); it printed:\n\(terminal.output.text)")
    }

    /// Makes the machines, and starts a shell for each terminal.
    private func start() throws {
        // A write to a program that has ended is an error, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        for name in Set(steps.map(\.terminal)) {
            terminals[name] = try PageTerminal(pipe: folder.appending(path: "commands-\(name)").path)
        }
        let hosts = folder.appending(path: "hosts")
        try "127.0.0.1 localhost rendezvous.example\n".write(to: hosts, atomically: true, encoding: .utf8)
        try Self.preparation.write(to: folder.appending(path: "prepare"), atomically: true, encoding: .utf8)
        try PageTerminal.shell.write(to: folder.appending(path: "shell"), atomically: true, encoding: .utf8)
        let places = terminals.flatMap { [$0.key, $0.value.terminal.path] }
        machine = try RunningProgram(
            [
                "bwrap", "--unshare-net", "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/", "--proc",
                "/proc",
                "--ro-bind", hosts.path, "/etc/hosts", "--", "bash", folder.path + "/prepare", folder.path,
                Program.repository.path, Program.products.path,
            ] + places,
            environment: ["PATH": Program.products.path + ":/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"])
    }

    /// What a reader has: a checkout, a home, an editor; names that lead here, and a certificate for them.
    private static let preparation = #"""
        set -e
        folder=$1 repository=$2 products=$3
        shift 3
        exec </dev/null
        cd "$folder/work"
        cp -r "$repository"/{Apps,Examples,docs,include} .
        mkdir -p .build
        if [ -e "$repository/.build/release/alcove_core.pc" ]; then products=$repository/.build/release; fi
        ln -s "$products" .build/release
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=rendezvous.example \
            -addext subjectAltName=DNS:rendezvous.example,IP:127.0.0.1 -keyout key.pem -out cert.pem 2>"$folder/openssl"
        printf '#!/bin/sh\necho "* written in the editor" >> "$1"\n' > "$folder/editor"
        chmod +x "$folder/editor"
        # What is printed counts here. Where it stands in a window is tested elsewhere.
        export SSL_CERT_FILE=$folder/work/cert.pem EDITOR=$folder/editor TERM=dumb
        while [ $# -gt 0 ]; do
            export HOME=$folder/home-$1 TMPDIR=$folder/tmp-$1
            mkdir -p -m 700 "$HOME" "$HOME/.local" "$HOME/.local/share" "$HOME/.local/share/alcove" "$TMPDIR"
            printf '{"server": "https://rendezvous.example:8443", "bindAddresses": ["127.0.0.1"]}\n' \
                > "$HOME/.local/share/alcove/settings.json"
            setsid --ctty bash "$folder/shell" "$folder/commands-$1" "$folder/work" <>"$2" >&0 2>&1 &
            shift 2
        done
        wait
        """#
}
