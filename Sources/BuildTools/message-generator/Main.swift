import Foundation
import Wire

/// A plug-in of `protoc`: a `CodeGeneratorRequest` comes in, a `CodeGeneratorResponse` goes out.
///
///     protoc --plugin=protoc-gen-alcove=message-generator --alcove_out=DIR FILE.proto ...
///
/// It writes a Swift file for each schema and `AllMessages.swift`, or with `--alcove_opt=js` the one file `messages.js`.
@main
enum Main {
    static func main() throws {
        let input = try FileHandle.standardInput.readToEnd() ?? Data()
        var response = ProtobufWriter()
        do {
            for file in try output(of: Request(ProtobufReader(Array(input)))) {
                var written = ProtobufWriter()
                written.write(file.name, 1)
                written.write(file.content, 15)
                response.write(message: written, 15)
            }
        } catch {
            response = ProtobufWriter()
            response.write("\(error)", 1)
        }
        try FileHandle.standardOutput.write(contentsOf: Data(response.bytes))
    }

    private static func output(of request: Request) throws -> [(name: String, content: String)] {
        let files = request.files.filter { request.wanted.contains($0.name) }
        switch request.parameter {
        case "js": return [("messages.js", JavaScriptTable.module(files))]
        case "":
            return files.map { (Names.namespace(stem($0.name)) + ".swift", SwiftSource.file($0)) }
                + [("AllMessages.swift", SwiftSource.list(files))]
        default: throw Failure("there is no option \(request.parameter)")
        }
    }

    private static func stem(_ name: String) -> String { String(name.prefix { $0 != "." }) }
}

/// A `CodeGeneratorRequest`.
private struct Request {
    var wanted: Set<String> = []
    var parameter = ""
    var files: [SchemaFile] = []

    init(_ reader: ProtobufReader) throws {
        var fields = reader
        while let field = try fields.next() {
            switch field.number {
            case 1: wanted.insert(try field.string(atMost: .max))
            case 2: parameter = try field.string(atMost: .max)
            case 15: files.append(try SchemaFile(try field.message()))
            default: break
            }
        }
    }
}
