import Foundation

/// A line that is typed on the terminal and not shown.
///
/// The terminal's own line editor stays in charge, so that Control-C, Control-D, Control-Z and Backspace do what they do
/// everywhere. A signal that ends or stops the process finds the terminal as it was before: it shows again what is typed.
struct HiddenLine {
    private let descriptor = STDIN_FILENO
    private let before: termios
    private let limit: Int

    /// Asks, and waits for the line.
    /// - Throws: ``CommandFailure`` if the input ends without one, or a signal came that something else takes care of.
    static func ask(_ question: TerminalText, atMost limit: Int) throws(CommandFailure) -> [UInt8] {
        while true {
            Terminal.ask(question)
            let line = try HiddenLine(limit)
            let outcome = line.read()
            line.end()
            switch outcome {
            case .line(let bytes): return bytes
            case .tooLong: throw CommandFailure("a passphrase has at most \(limit) bytes", .dataError)
            case .over: throw CommandFailure("nothing was typed", .noInput)
            case .signal(let number):
                // As it would have been without us: most end the process here, some stop it until it is called back.
                SignalPipe.raise(number)
                guard number == SIGTSTP else { throw CommandFailure("nothing was typed", .noInput) }
            }
        }
    }

    private enum Outcome {
        case line([UInt8])
        case tooLong
        case over
        case signal(Int32)
    }

    private init(_ limit: Int) throws(CommandFailure) {
        var state = termios()
        guard tcgetattr(descriptor, &state) == 0 else {
            throw CommandFailure("the terminal cannot be asked: \(String(cString: strerror(errno)))", .inputOutput)
        }
        before = state
        self.limit = limit
        try SignalPipe.begin()
        state.c_lflag &= ~UInt32(ECHO)
        state.c_lflag |= UInt32(ECHONL | ICANON | ISIG)
        // What was typed ahead was shown, and was not meant for this.
        tcsetattr(descriptor, TCSAFLUSH, &state)
    }

    private func end() {
        var state = before
        tcsetattr(descriptor, TCSAFLUSH, &state)
        SignalPipe.end()
    }

    private func read() -> Outcome {
        var line: [UInt8] = []
        while true {
            var waited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: SignalPipe.reader, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waited, 2, -1) >= 0 || errno == EINTR else { return .over }
            if let number = SignalPipe.next() { return .signal(number) }
            guard waited[0].revents != 0 else { continue }
            var byte: UInt8 = 0
            let count = Foundation.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return line.isEmpty ? .over : .line(line) }
            if byte == UInt8(ascii: "\n") { return .line(line) }
            guard line.count < limit else { return .tooLong }
            line.append(byte)
        }
    }
}

/// The signals that come while a line is typed, in a pipe: whichever thread gets one, the one that reads the line hears of it.
enum SignalPipe {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
    /// Both are set before the first handler is, and never again, so handlers on other threads find them.
    nonisolated(unsafe) private static var ends: (reader: Int32, writer: Int32) = (-1, -1)
    /// Commands ask for passphrases one after the other, each on the task that runs the command.
    nonisolated(unsafe) private static var before: [sigaction] = []

    static var reader: Int32 { ends.reader }

    static func begin() throws(CommandFailure) {
        if ends.reader < 0 {
            var made: [Int32] = [-1, -1]
            guard pipe(&made) == 0 else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure("a passphrase cannot be asked for now: \(reason)", .temporaryFailure)
            }
            for end in made { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
            for end in made { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            ends = (made[0], made[1])
        }
        before = numbers.map { number in
            var (old, new) = (sigaction(), sigaction())
            new.__sigaction_handler.sa_handler = { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(SignalPipe.ends.writer, &byte, 1)
                errno = saved
            }
            sigaction(number, nil, &old)
            // A signal that is ignored, as `nohup` does, stays ignored.
            let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
            if !isIgnored { sigaction(number, &new, nil) }
            return old
        }
    }

    static func end() {
        for (number, action) in zip(numbers, before) {
            var action = action
            sigaction(number, &action, nil)
        }
        before = []
    }

    /// Sends it to this thread, which may have it blocked, as threads of the concurrency runtime do. What it does has happened
    /// when this returns.
    static func raise(_ number: Int32) {
        var (one, before) = (sigset_t(), sigset_t())
        sigemptyset(&one)
        sigaddset(&one, number)
        pthread_sigmask(SIG_UNBLOCK, &one, &before)
        Foundation.raise(number)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The signal that came, if any.
    static func next() -> Int32? {
        var byte: UInt8 = 0
        return read(ends.reader, &byte, 1) == 1 ? Int32(byte) : nil
    }
}
