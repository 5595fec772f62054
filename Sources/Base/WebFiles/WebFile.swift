package import Networking
package import Storage

/// An open file that is served over HTTP: whole, in ranges, or not at all if the client has it.
///
/// ```swift
/// responder.respond(try WebFile(.reading(path), headers: ["content-type": "video/mp4"]).response(to: request))
/// ```
package struct WebFile: Sendable {
    private let file: FileDescriptor
    /// Its size, and what names this version.
    package let representation: HTTPRepresentation

    /// - Parameter headers: go with the content: `content-type`, `cache-control`, …
    package init(_ file: FileDescriptor, headers: HTTPFields = [:]) throws(FileError) {
        self.file = file
        let status = try file.status()
        // A file that is changed in place keeps its number and mostly changes its time or its size.
        let version = [Int64(bitPattern: status.inode), status.size, status.modified.allNanoseconds]
        let tag = version.map { String(UInt64(bitPattern: $0), radix: 16) }.joined(separator: "-")
        representation = HTTPRepresentation(
            size: Int(status.size), tag: EntityTag(tag), modified: HTTPDate(seconds: Int(status.modified.seconds)),
            headers: headers)
    }

    /// The answer to a request for it. The bytes are read while they are sent, and the file is open until then.
    package func response(to request: HTTPRequest, now: HTTPDate = .now) -> HTTPResponse {
        representation.response(to: request, now: now) { range in
            let disk = BlockingQueue("file of a response")
            return .region(range) { [file] place, count in
                try await disk.run { () throws(FileError) in try file.read(at: Int64(place), atMost: count) }
            }
        }
    }
}
