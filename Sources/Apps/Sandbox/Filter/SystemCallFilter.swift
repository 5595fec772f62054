#if os(Linux)
internal import CSeccomp
internal import Components
internal import Platform

/// The system calls that are left to a confined component: to compute, to wait, to use memory, and to talk over what is open
/// already.
///
/// Three answers to others: whatever could reach something ends the process, opening files fails (libraries try that and go
/// on without), and the rest does not exist.
final class SystemCallFilter {
    private let filter: scmp_filter_ctx

    private static let allowed = [
        // Memory. Just-in-time compilers make it executable.
        "brk", "madvise", "mprotect", "mremap", "munmap", "membarrier",
        // Threads, of this process only.
        "exit", "exit_group", "futex", "get_robust_list", "set_robust_list", "rseq", "sched_getaffinity", "sched_yield",
        "gettid", "getpid", "set_tid_address", "getcpu",
        // Time.
        "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep", "restart_syscall", "time",
        "times",
        // What is open already, and waiting for it.
        "close", "eventfd2", "poll", "ppoll", "pread64", "read", "readv", "write", "writev", "recvfrom", "sendto",
        "recvmsg",
        // Signals that the engine sends to its own threads.
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait",
        "sigaltstack",
        // What the machine is like.
        "getrandom", "getrusage", "sysinfo", "uname",
    ]

    /// Libraries try these and go on without.
    private static let refused = [
        "access", "faccessat", "faccessat2", "getcwd", "lstat", "newfstatat", "open", "openat", "readlink",
        "readlinkat",
        "stat", "statx", "fstat", "fcntl", "ioctl", "lseek", "getdents64",
    ]

    /// No script needs these. A process that calls them was taken over.
    private static let deadly = [
        "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill",
        "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "process_madvise",
        "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendmmsg", "sendmsg",
        "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "move_mount", "open_tree", "fsopen", "fsmount",
        "openat2", "creat", "truncate", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
        "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "mknod", "mknodat", "chmod", "fchmod", "fchmodat", "chown",
        "fchown", "fchownat", "lchown", "setxattr", "fsetxattr", "name_to_handle_at", "open_by_handle_at",
        "memfd_create",
        "memfd_secret", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
        "io_uring_register",
        "add_key", "request_key", "keyctl", "prlimit64", "setrlimit", "setuid", "setgid", "setreuid", "setregid",
        "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid", "capset", "personality", "modify_ldt", "seccomp",
        "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff",
        "sethostname", "setdomainname", "settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "acct",
        "quotactl",
        "iopl", "ioperm", "vhangup", "syslog", "shmget", "shmat", "msgget", "semget", "mq_open", "inotify_init1",
        "fanotify_init", "landlock_create_ruleset", "kcmp", "migrate_pages", "move_pages", "lookup_dcookie",
    ]

    /// Makes the filter, which takes about a millisecond; it does nothing before ``install()``.
    init() throws(ComponentError) {
        guard let filter = seccomp_init(alcove_seccomp_error(UInt16(ENOSYS))) else {
            throw Self.failure("seccomp_init")
        }
        self.filter = filter
        guard seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 else { throw Self.failure("TSYNC") }
        // A tree of jumps: a call near the end of the list costs no more than one at its beginning.
        _ = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2)
        try add(alcove_seccomp_allow(), Self.allowed)
        try add(alcove_seccomp_error(UInt16(EACCES)), Self.refused)
        try add(alcove_seccomp_kill(), Self.deadly)
        try addConditions()
    }

    deinit { seccomp_release(filter) }

    /// Puts the filter over all threads of this process. It cannot be taken away.
    func install() throws(ComponentError) {
        guard seccomp_load(filter) == 0 else { throw Self.failure("seccomp_load") }
    }

    private func add(_ action: UInt32, _ names: [String]) throws(ComponentError) {
        for name in names {
            let number = seccomp_syscall_resolve_name(name)
            // Not on this machine.
            guard number >= 0 else { continue }
            guard alcove_seccomp_rule(filter, action, number) == 0 else { throw Self.failure(name) }
        }
    }

    private func addConditions() throws(ComponentError) {
        // Memory of this process alone. What is shared stays when the process lets go of its pages, where no limit counts it.
        let (sharing, isPrivate) = (UInt64(MAP_SHARED | MAP_PRIVATE), UInt64(MAP_PRIVATE))
        try add(alcove_seccomp_allow(), "mmap", 3, sharing, isPrivate)
        try add(alcove_seccomp_error(UInt16(EACCES)), "mmap", 3, UInt64(MAP_SHARED), UInt64(MAP_SHARED))
        // CLONE_THREAD: a new thread shares everything with this process and has no name space of its own; else it is a new process.
        let thread = UInt64(0x0001_0000)
        try add(alcove_seccomp_allow(), "clone", 0, thread, thread)
        try add(alcove_seccomp_kill(), "clone", 0, thread, 0)
        // Signals to threads of this process, which the engine stops for a moment when it collects garbage.
        let own = UInt64(UInt32(bitPattern: getpid()))
        try add(alcove_seccomp_allow(), "tgkill", 0, 0xffff_ffff, own)
        // Names of threads and of memory.
        try add(alcove_seccomp_allow(), "prctl", 0, 0xffff_ffff, UInt64(PR_SET_NAME))
        try add(alcove_seccomp_allow(), "prctl", 0, 0xffff_ffff, 0x5356_4d41)
    }

    /// A rule for calls with an argument, counted from 0, that has the bits of `mask` as in `value`.
    private func add(
        _ action: UInt32, _ name: String, _ argument: UInt32, _ mask: UInt64, _ value: UInt64
    ) throws(ComponentError) {
        let number = seccomp_syscall_resolve_name(name)
        guard alcove_seccomp_rule_if(filter, action, number, argument, mask, value) == 0 else {
            throw Self.failure(name)
        }
    }

    private static func failure(_ step: String) -> ComponentError {
        ComponentError(.unavailable, "the filter of system calls cannot be set up (\(step)); the kernel needs seccomp")
    }
}
#endif
