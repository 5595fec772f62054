internal import CNice
private import Platform

/// Asks a STUN or TURN server whether it is there.
///
/// The ICE library reports only that a server gave no path. A server that answers a request without a user name with
/// any refusal is running (RFC 8656 section 7), so it must have refused the name and the password.
public enum RelayProbe {
    /// How often the request is sent, because packets may be lost, and how long each answer may take in milliseconds.
    private static let (attempts, patience) = (3, Int32(1000))

    /// Whether a server at the address of this `stun:` or `turn:` URL speaks STUN. Takes at most three seconds and the time to
    /// look up the name.
    public static func isAnswering(_ url: String) async -> Bool {
        guard let address = try? ICEServerAddress(url: url) else { return false }
        return await withCheckedContinuation { answer in
            let question = Unmanaged.passRetained(Question(address: address, answer: answer)).toOpaque()
            g_thread_unref(
                g_thread_new(
                    "relay-probe",
                    { pointer in
                        guard let pointer else { return nil }
                        let question = Unmanaged<Question>.fromOpaque(pointer).takeRetainedValue()
                        question.answer.resume(returning: RelayProbe.ask(question.address))
                        return nil
                    }, question))
        }
    }

    private final class Question {
        let address: ICEServerAddress
        let answer: CheckedContinuation<Bool, Never>

        init(address: ICEServerAddress, answer: CheckedContinuation<Bool, Never>) {
            (self.address, self.answer) = (address, answer)
        }
    }

    private static func ask(_ address: ICEServerAddress) -> Bool {
        var hints = addrinfo()
        #if canImport(Darwin)
        hints.ai_socktype = address.kind == .turnTCP ? SOCK_STREAM : SOCK_DGRAM
        #else
        hints.ai_socktype = Int32((address.kind == .turnTCP ? SOCK_STREAM : SOCK_DGRAM).rawValue)
        #endif
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let first = found else {
            return false
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(first.pointee.ai_family, first.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // Connecting must not take longer than an answer.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        guard connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0 || isInProgress else {
            return false
        }
        return (0..<attempts).contains { _ in isAnswered(descriptor, address.kind) }
    }

    /// Sends the request once and waits for its answer.
    private static func isAnswered(_ descriptor: Int32, _ kind: ICEServerAddress.Kind) -> Bool {
        guard waits(descriptor, for: POLLOUT) else { return false }
        let transaction = (0..<12).map { _ in UInt8.random(in: .min ... .max) }
        // A Binding request, or an Allocate request of eight bytes: for a path over UDP.
        let request: [UInt8] =
            kind == .stun
            ? [0, 1, 0, 0] + cookie + transaction
            : [0, 3, 0, 8] + cookie + transaction + [0, 0x19, 0, 4, 17, 0, 0, 0]
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return false }
        guard waits(descriptor, for: POLLIN) else { return false }
        var answer = [UInt8](repeating: 0, count: 1500)
        let count = recv(descriptor, &answer, answer.count, 0)
        return count >= 20 && Array(answer[4..<8]) == cookie && Array(answer[8..<20]) == transaction
    }

    /// The magic cookie, at the fifth byte of every STUN message (RFC 8489 section 5).
    private static let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]

    private static func waits(_ descriptor: Int32, for event: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        return poll(&state, 1, patience) > 0 && Int32(state.revents) & event != 0
    }
}
