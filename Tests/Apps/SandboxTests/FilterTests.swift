import Foundation
import ProgramRunner
import Testing

/// A program behind the same filter, which tries what no component may do. 159 is death by SIGSYS, 1 an error.
@Suite struct FilterTests {
    private func perform(_ deed: String) throws -> Int32 {
        try Program.run([Program.products.appending(path: "evil-component").path, deed]).status
    }

    @Test(arguments: ["nothing", "thread", "private memory"])
    func leavesWhatEnginesNeed(_ deed: String) throws { #expect(try perform(deed) == 0) }

    @Test(arguments: ["open", "create", "proc", "prctl", "shared memory", "validated shared memory"])
    func refuses(_ deed: String) throws { #expect(try perform(deed) == 1) }

    @Test(arguments: [
        "socket", "unix socket", "netlink", "unlink", "execve", "execveat", "fork", "vfork", "clone", "ptrace", "kill",
        "process_vm_readv", "process_vm_writev", "pidfd_open", "mount", "umount2", "chroot", "pivot_root", "unshare",
        "setns", "prlimit64", "keyctl", "add_key", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup",
        "memfd_create", "rename", "link", "symlink", "mkdir", "chmod", "personality", "open_by_handle_at", "seccomp",
        "setuid", "init_module", "reboot", "shmget",
    ])
    func kills(_ deed: String) throws {
        let status = try perform(deed)
        #expect(status == -SIGSYS || status == 128 + SIGSYS)
    }

    @Test(arguments: ["clone3", "tgkill", "timer_create", "epoll_create1", "pipe2", "dup", "splice", "getppid"])
    func hidesWhatNobodyNeeds(_ deed: String) throws { #expect(try perform(deed) == 1) }
}
