#if os(Linux)
internal import Platform

/// How many threads a component may have.
enum ThreadLimit {
    /// The engine has some for collecting garbage and for compiling, in step with the processors of the machine; scripts cannot make threads.
    static let threads = 64 + 2 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
#endif
