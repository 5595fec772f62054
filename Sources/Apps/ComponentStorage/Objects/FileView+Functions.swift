internal import Components
internal import Storage

/// The functions of a `FileImpl`.
extension FileView {
    var readingFunctions: [String: ServiceFunction] {
        let (functions, calls, location) = (StorageFunctions(root: root), calls, location)
        return [
            "getByteSource": functions.reading { call in try calls.byteSource(location, for: call.connection) },
            "getXAttr": functions.reading { (request: FileProto.GetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: location)
            },
            "listXAttrs": functions.reading { _ in try calls.attributes(of: location) },
            "readBytes": functions.reading { (request: FileProto.ReadBytesRequestBody, call) in
                try calls.readBytes(location, request.start, request.end, call)
            },
            "readJSON": functions.reading { _ in try calls.readJSON(location) },
            "readTxt": functions.reading { _ in try calls.readText(location) },
            "stat": functions.reading { _ in try calls.stat(location) },
            "watch": .observable { call, emitter throws(RuntimeException) in
                try await calls.watchFile(location, call, emitter)
            },
        ]
    }

    var writingFunctions: [String: ServiceFunction] {
        let (functions, calls, location) = (StorageFunctions(root: root), calls, location)
        return [
            "copy": functions.writing { (request: FileProto.CopyRequestBody, call) in
                try calls.save(request.file, to: location, overwrite: true, call.connection)
                return nil
            },
            "getByteSink": functions.writing { (request: FileProto.GetByteSinkRequestBody, call) in
                let flags = WritingFlags(truncate: request.truncateFile?.value ?? true)
                return try calls.byteSink(location, flags, for: call.connection)
            },
            "updateXAttrs": functions.writing { (request: FileProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: location)
                return nil
            },
            "writeBytes": functions.writing { (request: FileProto.WriteBytesRequestBody, _) in
                try calls.write(request.bytes, to: location, WritingFlags())
                return nil
            },
            "writeJSON": functions.writing { (request: FileProto.WriteJsonRequestBody, _) in
                try calls.write(request.json, to: location, WritingFlags())
                return nil
            },
            "writeTxt": functions.writing { (request: FileProto.WriteTxtRequestBody, _) in
                try calls.write(request.txt, to: location, WritingFlags())
                return nil
            },
        ]
    }
}
