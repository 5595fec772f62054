internal import Components
internal import Storage

/// The object `v` of a `FileImpl`.
extension FileView {
    var versions: ServiceObject {
        ServiceObject(functions: writable ? versionedReading.merging(versionedWriting) { $1 } : versionedReading)
    }

    private var versionedReading: [String: ServiceFunction] {
        let (calls, location) = (VersionedCalls(calls: calls), location)
        return [
            "getByteSource": root.reading { (request: FileProto.RequestWithVersionedReadFlags, call) in
                try calls.byteSource(location, request.flags, for: call.connection)
            },
            "getXAttr": root.reading { (request: FileProto.VersionedGetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: location, request.flags)
            },
            "listVersions": root.reading { _ in try calls.versions(location) },
            "listXAttrs": root.reading { (request: FileProto.RequestWithVersionedReadFlags, _) in
                try calls.attributeNames(location, request.flags)
            },
            "readBytes": root.reading { (request: FileProto.VersionedReadBytesRequestBody, _) in
                try calls.readBytes(location, request.start, request.end, request.flags)
            },
            "readJSON": root.reading { (request: FileProto.RequestWithVersionedReadFlags, _) in
                try calls.readJSON(location, request.flags)
            },
            "readTxt": root.reading { (request: FileProto.RequestWithVersionedReadFlags, _) in
                try calls.readText(location, request.flags)
            },
        ]
    }

    private var versionedWriting: [String: ServiceFunction] {
        let (tree, calls, location) = (root.tree, VersionedCalls(calls: calls), location)
        return [
            "archiveCurrent": root.writing { (request: FileProto.ArchiveCurrentRequestBody, _) in
                try calls.archive(location, request.version)
            },
            "copy": root.writing { (request: FileProto.CopyRequestBody, call) in
                calls.reply(try calls.calls.save(request.file, to: location, overwrite: true, call.connection))
            },
            "getByteSink": root.writing { (request: FileProto.VersionedGetByteSinkRequestBody, call) in
                let flags = WritingFlags(
                    truncate: request.truncateFile?.value ?? true, currentVersion: request.currentVersion?.value)
                return try calls.byteSink(location, flags, for: call.connection)
            },
            "updateXAttrs": root.writing { (request: FileProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: location)
            },
            "writeBytes": root.writing { (request: FileProto.WriteBytesRequestBody, _) in
                calls.reply(try tree.write(request.bytes, to: location, WritingFlags()))
            },
            "writeJSON": root.writing { (request: FileProto.WriteJsonRequestBody, _) in
                calls.reply(try tree.write([UInt8](request.json.utf8)[...], to: location, WritingFlags()))
            },
            "writeTxt": root.writing { (request: FileProto.WriteTxtRequestBody, _) in
                calls.reply(try tree.write([UInt8](request.txt.utf8)[...], to: location, WritingFlags()))
            },
        ]
    }
}
