internal import Components
internal import Storage

/// The functions of a `FileImpl`.
extension FileView {
    var readingFunctions: [String: ServiceFunction] {
        let (calls, location) = (calls, location)
        return [
            "getByteSource": root.reading { call in try calls.byteSource(location, for: call.connection) },
            "getXAttr": root.reading { (request: FileProto.GetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: location)
            },
            "listXAttrs": root.reading { _ in try calls.attributes(of: location) },
            "readBytes": root.reading { (request: FileProto.ReadBytesRequestBody, call) in
                try calls.readBytes(location, request.start, request.end, call)
            },
            "readJSON": root.reading { _ in try calls.readJSON(location) },
            "readTxt": root.reading { _ in try calls.readText(location) },
            "stat": root.reading { _ in try calls.stat(location) },
            "watch": .observable { call, emitter throws(RuntimeException) in
                try await calls.watchFile(location, call, emitter)
            },
        ]
    }

    var writingFunctions: [String: ServiceFunction] {
        let (tree, calls, location) = (root.tree, calls, location)
        return [
            "copy": root.writing { (request: FileProto.CopyRequestBody, call) in
                try calls.save(request.file, to: location, overwrite: true, call.connection)
                return nil
            },
            "getByteSink": root.writing { (request: FileProto.GetByteSinkRequestBody, call) in
                let flags = WritingFlags(truncate: request.truncateFile?.value ?? true)
                return try calls.byteSink(location, flags, for: call.connection)
            },
            "updateXAttrs": root.writing { (request: FileProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: location)
                return nil
            },
            "writeBytes": root.writing { (request: FileProto.WriteBytesRequestBody, _) in
                try tree.write(request.bytes, to: location, WritingFlags())
                return nil
            },
            "writeJSON": root.writing { (request: FileProto.WriteJsonRequestBody, _) in
                try tree.write([UInt8](request.json.utf8)[...], to: location, WritingFlags())
                return nil
            },
            "writeTxt": root.writing { (request: FileProto.WriteTxtRequestBody, _) in
                try tree.write([UInt8](request.txt.utf8)[...], to: location, WritingFlags())
                return nil
            },
        ]
    }
}
