import CSeccomp
import Platform
import Sandbox

/// Confines itself as a component does, and then tries one thing: `evil-component DEED`. Ends with 0 if it was done, with
/// 1 if it failed; most deeds end the process before. Started by a host, it does what the component's code names.
@main enum EvilComponent {
    static func main() {
        #if os(Linux)
        let deed = CommandLine.arguments.dropFirst().first ?? ""
        if deed.isEmpty || deed == "--libraries" {
            ComponentProgram.run { deed in
                if !perform(deed) { _exit(1) }
            }
        }
        guard let thread = try? ComponentProgram.confine() else { _exit(99) }
        withExtendedLifetime(thread) { _exit(perform(deed) ? 0 : 1) }
        #endif
    }

    /// Whether it worked.
    private static func perform(_ deed: String) -> Bool {
        switch deed {
        case "nothing": return true
        case "thread": return startsThread()
        case "many threads": return startsThreads()
        case "shared memory": return maps(MAP_SHARED)
        case "validated shared memory": return maps(MAP_SHARED | MAP_PRIVATE)
        case "private memory": return maps(MAP_PRIVATE)
        case "tables": return makesTables()
        case "open": return open("/etc/passwd", O_RDONLY) >= 0
        case "create": return open("/tmp/evil", O_WRONLY | O_CREAT, 0o600) >= 0
        case "proc": return open("/proc/self/mem", O_RDWR) >= 0
        case "unlink": return unlink("/etc/passwd") == 0
        case "socket": return socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case "unix socket": return socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case "netlink": return socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 0) >= 0
        default: return performNumbered(deed)
        }
    }

    /// System calls that Swift does not see, by number, with arguments that would do for success.
    private static func performNumbered(_ deed: String) -> Bool {
        let name = "/bin/true"
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(name), nil]
        let path = name.withCString { Int(bitPattern: strdup($0)) }
        let arguments: [Int]
        switch deed {
        case "execve": arguments = words.withUnsafeMutableBufferPointer { [path, Int(bitPattern: $0.baseAddress), 0] }
        case "clone": arguments = [Int(SIGCHLD)]
        case "kill": arguments = [-1, 9]
        case "tgkill": arguments = [Int(getpid()) + 1, Int(getpid()) + 1, 9]
        case "prlimit64": arguments = [0, 7, 0, 0]
        case "prctl": arguments = [Int(PR_SET_DUMPABLE), 1]
        case "mount": arguments = [path, path, path, 0, 0]
        case "chroot", "pivot_root", "rename", "link", "symlink", "mkdir", "chmod": arguments = [path, path]
        case "unshare": arguments = [0x1000_0000]
        case "personality": arguments = [0xffff_ffff]
        default: arguments = [0, 0, 0, 0]
        }
        return alcove_call_by_name(
            deed, arguments.count > 0 ? arguments[0] : 0,
            arguments.count > 1 ? arguments[1] : 0, arguments.count > 2 ? arguments[2] : 0) >= 0
    }

    /// Engines need threads.
    private static func startsThread() -> Bool {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
        return pthread_join(thread, nil) == 0
    }

    /// As many as there are to be had. They stay.
    private static func startsThreads() -> Bool {
        for _ in 0..<100_000 {
            var thread = pthread_t()
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            pthread_attr_setstacksize(&attributes, 16 << 10)
            let status = pthread_create(&thread, &attributes, { _ in while true { poll(nil, 0, -1) } }, nil)
            guard status == 0 else { return false }
        }
        return true
    }

    /// Memory that would count for nobody once it is let go of but not given back.
    private static func maps(_ sharing: Int32) -> Bool {
        mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
    }

    /// Reads a byte of each of very many pages, which are all the same one, but for what the kernel notes of them.
    private static func makesTables() -> Bool {
        let size = 256 << 30
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_NORESERVE)
        guard let memory = mmap(nil, size, PROT_READ, flags, -1, 0), memory != MAP_FAILED else { return false }
        madvise(memory, size, Int32(MADV_NOHUGEPAGE))
        var sum: UInt8 = 0
        for offset in stride(from: 0, to: size, by: 2 << 20) {
            sum &+= memory.load(fromByteOffset: offset, as: UInt8.self)
        }
        return sum == 0
    }
}
