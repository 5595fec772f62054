import Networking
import Platform
import Storage
import WebFiles

/// Serves uploads into the folder that is named, until it is killed. Prints the port.
@main struct Main {
    private struct Handler: HTTPServerHandler {
        let uploads: UploadEndpoint

        func plan(for request: HTTPRequest, from peer: PeerAddress) -> RequestPlan {
            uploads.plan(for: request) ?? .refuse(HTTPResponse(status: 404))
        }

        func handle(_ request: HTTPRequest, from peer: PeerAddress, responder: HTTPResponder) {}
    }

    static func main() async throws {
        let path = CommandLine.arguments[1]
        let target = try Folder(path)
        let store = try UploadStore(Folder.making(path + "/uploads"))
        let uploads = UploadEndpoint(store, path: "/uploads") { upload in
            (try? upload.move(to: target, as: "whole")) == nil
                ? HTTPResponse(status: 500) : HTTPResponse(status: 200)
        }
        let server = HTTPServer(configuration: HTTPServerConfiguration(), handler: Handler(uploads: uploads))
        print(try await server.start())
        fflush(nil)
        while readLine() != nil {}
        await server.stop()
    }
}
