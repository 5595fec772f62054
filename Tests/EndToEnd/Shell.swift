import ProgramRunner

/// A line of the shell, run to its end: what it printed and how it ended.
struct Shell {
    let code: Int32
    let output: String

    init(_ line: String) async throws {
        let result = try await Program.completion(of: ["/bin/sh", "-c", line], keepsErrors: false)
        (code, output) = (result.status, result.output)
    }
}
