import Foundation

/// The end of this process.
enum ProgramEnd {
    /// Ends at once, without the clean-up that C libraries have registered.
    ///
    /// `exit` runs it while other threads still use what it frees, for example OpenSSL's tables, and the process crashes
    /// instead of ending. Nothing is lost: files are whole when they are written, and what is printed goes out at once. C's
    /// streams are not flushed: nothing is written with them, and a thread that reads a line holds the lock of one.
    static func now(_ code: ExitCode) -> Never {
        _exit(code.rawValue)
    }
}
