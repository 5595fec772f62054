import Networking

/// The link's socket to the rendezvous server.
extension RoomLink {
    func openSocket() {
        socketNumber += 1
        let number = socketNumber
        let (server, network, happen) = (setting.address.server, setting.network, happen)
        socketTask?.cancel()
        socketTask = Task {
            var hasMoved = false
            do throws(RoomsFailure) {
                let socket = try await network.openSocket(server)
                happen.yield(.socket(number, .opened(socket)))
                for await event in socket.events {
                    switch event {
                    case .text(let text): happen.yield(.socket(number, .text(text)))
                    case .closed(let code, _): hasMoved = code == .serviceRestart
                    case .binary: break
                    }
                }
                // The link may have been closed in the moment in which the socket opened, and then it never knew of it.
                socket.close()
            } catch {
                // For the link all reasons are alike: the server is unreachable, and is tried again.
                happen.yield(.socket(number, .failed(error)))
            }
            happen.yield(.socket(number, .closed(hasMoved: hasMoved)))
        }
    }

    func closeSocket() {
        socketNumber += 1
        socket?.close()
        socket = nil
        socketTask?.cancel()
    }

    func send(_ request: SignalingRequest) {
        // A socket that cannot take the message is about to report that it closed.
        try? socket?.send((keys.ticket.isEmpty ? request.forOldServer : request).text)
    }

    func handle(_ event: SocketEvent) async {
        switch event {
        case .opened(let opened):
            socket = opened
            await feed(.socketOpened)
        case .text(let text):
            // A message that cannot be read is dropped: the server may be newer than we are.
            if let notice = try? SignalingNotice(text: text) { await feed(.notice(notice)) }
        case .failed(let failure):
            // A connected pair needs no server.
            if !machine.isThrough { trouble(failure) }
        case .closed(let hasMoved):
            socket = nil
            await feed(hasMoved ? .socketMoved : .socketClosed)
        }
    }
}
