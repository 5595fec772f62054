import Foundation
import Synchronization

/// The terminal of standard input, which gives every key at once and shows none while it is raw. Control-C stays a
/// signal; Control-\ does nothing.
struct RawTerminal: Sendable {
    /// How the terminal was before, while it is raw.
    private static let raw = Mutex<termios?>(nil)

    private let before: termios

    /// - Returns: nil if standard input is not a terminal.
    init?() {
        var state = termios()
        guard tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
        before = state
    }

    func enter() {
        var state = before
        Self.raw.withLock { [before] in $0 = before }
        state.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
        state.c_lflag |= tcflag_t(ISIG)
        // Control-S and Control-Q would stop the window for no reason that a person of today knows.
        state.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
        withUnsafeMutableBytes(of: &state.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
            // Control-Z is taken as a key: the terminal has to be given back first.
            keys[Int(VSUSP)] = 0
            // It would end the process and leave the terminal raw.
            keys[Int(VQUIT)] = 0
        }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &state)
        // The terminal says where a paste begins and where it ends.
        Terminal.obey("\u{1B}[?2004h")
    }

    func leave() {
        Terminal.obey("\u{1B}[?2004l")
        var state = before
        tcsetattr(STDIN_FILENO, TCSADRAIN, &state)
        Self.raw.withLock { $0 = nil }
    }

    /// Gives the terminal back as it was, at once and also if it takes no more output.
    static func giveBack() {
        guard var state = raw.withLock({ $0 }) else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &state)
    }
}
