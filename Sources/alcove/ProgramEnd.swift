import Foundation

/// The end of this process.
enum ProgramEnd {
    /// Ends at once, without the clean-up that C libraries have registered.
    ///
    /// `exit` runs it while other threads still use what it frees, for example OpenSSL's tables, and the process crashes
    /// instead of ending. Nothing is lost: files are whole when they are written, and the terminal is written to directly.
    static func now(_ code: ExitCode) -> Never {
        fflush(nil)
        _exit(code.rawValue)
    }
}
