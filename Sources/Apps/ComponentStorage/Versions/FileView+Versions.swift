internal import Components
internal import Storage

/// The object `v` of a `FileImpl`.
extension FileView {
    var versions: ServiceObject {
        ServiceObject(functions: writable ? versionedReading.merging(versionedWriting) { $1 } : versionedReading)
    }

    private var versionedReading: [String: ServiceFunction] {
        let (functions, calls, location) = (StorageFunctions(root: root), VersionedCalls(calls: calls), location)
        return [
            "getByteSource": functions.reading { (request: FileProto.RequestWithVersionedReadFlags, call) in
                try calls.byteSource(location, request.flags, for: call.connection)
            },
            "getXAttr": functions.reading { (request: FileProto.VersionedGetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: location, request.flags)
            },
            "listVersions": functions.reading { _ in try calls.versions(location) },
            "listXAttrs": functions.reading { (request: FileProto.RequestWithVersionedReadFlags, _) in
                try calls.attributeNames(location, request.flags)
            },
            "readBytes": functions.reading { (request: FileProto.VersionedReadBytesRequestBody, _) in
                try calls.readBytes(location, request.start, request.end, request.flags)
            },
            "readJSON": functions.reading { (request: FileProto.RequestWithVersionedReadFlags, _) in
                try calls.readJSON(location, request.flags)
            },
            "readTxt": functions.reading { (request: FileProto.RequestWithVersionedReadFlags, _) in
                try calls.readText(location, request.flags)
            },
        ]
    }

    private var versionedWriting: [String: ServiceFunction] {
        let (functions, calls, location) = (StorageFunctions(root: root), VersionedCalls(calls: calls), location)
        return [
            "archiveCurrent": functions.writing { (request: FileProto.ArchiveCurrentRequestBody, _) in
                try calls.archive(location, request.version)
            },
            "copy": functions.writing { (request: FileProto.CopyRequestBody, call) in
                calls.reply(try calls.calls.save(request.file, to: location, overwrite: true, call.connection))
            },
            "getByteSink": functions.writing { (request: FileProto.VersionedGetByteSinkRequestBody, call) in
                let flags = WritingFlags(
                    truncate: request.truncateFile?.value ?? true, currentVersion: request.currentVersion?.value)
                return try calls.byteSink(location, flags, for: call.connection)
            },
            "updateXAttrs": functions.writing { (request: FileProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: location)
            },
            "writeBytes": functions.writing { (request: FileProto.WriteBytesRequestBody, _) in
                calls.reply(try calls.calls.write(request.bytes, to: location, WritingFlags()))
            },
            "writeJSON": functions.writing { (request: FileProto.WriteJsonRequestBody, _) in
                calls.reply(try calls.calls.write(request.json, to: location, WritingFlags()))
            },
            "writeTxt": functions.writing { (request: FileProto.WriteTxtRequestBody, _) in
                calls.reply(try calls.calls.write(request.txt, to: location, WritingFlags()))
            },
        ]
    }
}
