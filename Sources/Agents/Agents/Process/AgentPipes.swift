internal import Platform

/// The pipes between this process and a program, and one that wakes the thread that serves them.
struct AgentPipes: Sendable {
    let childsInput, input: Int32
    let output, childsOutput: Int32
    let error, childsError: Int32
    let wakeReader, wakeWriter: Int32

    /// Nil if there are no more files to be opened.
    init?() {
        var ends: [Int32] = []
        for _ in 0..<4 {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else {
                for end in ends { _ = Platform.close(end) }
                return nil
            }
            ends += pair
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (childsInput, input, output, childsOutput) = (ends[0], ends[1], ends[2], ends[3])
        (error, childsError, wakeReader, wakeWriter) = (ends[4], ends[5], ends[6], ends[7])
        for end in [input, output, error, wakeReader, wakeWriter] {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
    }

    func closeChildsEnds() { for end in [childsInput, childsOutput, childsError] { _ = Platform.close(end) } }

    /// Closes the ends of this process; the input may be closed already.
    func close(withInput: Bool = true) {
        for end in [output, error, wakeReader, wakeWriter] + (withInput ? [input] : []) { _ = Platform.close(end) }
    }
}
