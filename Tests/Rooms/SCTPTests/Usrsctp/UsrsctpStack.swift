internal import CUsrsctp
internal import Synchronization

/// The part of usrsctp that a process has once: started without threads, with a clock that the tests move.
///
/// Every call into it comes from one test at a time, so that packets leave on the thread that asked.
enum UsrsctpStack {
    private static let places = Mutex<[UInt: Outbox]>([:])

    private static let started: Bool = {
        usrsctp_init_nothreads(
            0,
            { address, bytes, count, _, _ in
                guard let bytes, let outbox = UsrsctpStack.outbox(UInt(bitPattern: address)) else { return -1 }
                outbox.append(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
                return 0
            },
            nil
        )
        usrsctp_sysctl_set_sctp_ecn_enable(0)
        usrsctp_sysctl_set_sctp_asconf_enable(0)
        usrsctp_sysctl_set_sctp_auth_enable(0)
        usrsctp_sysctl_set_sctp_rto_min_default(200)
        usrsctp_sysctl_set_sctp_rto_initial_default(1000)
        // It measures round trips by the machine's clock, so one that is held up for seconds makes it wait for minutes of ours,
        // and give up after ten time-outs in a row.
        usrsctp_sysctl_set_sctp_rto_max_default(2000)
        usrsctp_sysctl_set_sctp_assoc_rtx_max_default(100)
        usrsctp_sysctl_set_sctp_path_rtx_max_default(100)
        return true
    }()

    /// Packets that an association wants to send.
    final class Outbox: Sendable {
        private let packets = Mutex<[[UInt8]]>([])

        func append(_ packet: [UInt8]) { packets.withLock { $0.append(packet) } }

        func take() -> [[UInt8]] {
            packets.withLock { packets in
                defer { packets = [] }
                return packets
            }
        }
    }

    private static func outbox(_ number: UInt) -> Outbox? { places.withLock { $0[number] } }

    /// A number in place of an address, and where the packets to it go.
    static func register() -> (number: UInt, outbox: Outbox) {
        _ = started
        let outbox = Outbox()
        let number = places.withLock { places in
            var number: UInt
            repeat { number = .random(in: 1 ... .max) } while places[number] != nil
            places[number] = outbox
            return number
        }
        usrsctp_register_address(UnsafeMutableRawPointer(bitPattern: number))
        return (number, outbox)
    }

    static func remove(_ number: UInt) {
        usrsctp_deregister_address(UnsafeMutableRawPointer(bitPattern: number))
        places.withLock { $0[number] = nil }
    }

    /// Lets time pass for the timers of all associations.
    static func advance(milliseconds: UInt32) { usrsctp_handle_timers(milliseconds) }
}
