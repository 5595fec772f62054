internal import Components
internal import Storage

/// The object `v` of an `FSImpl`.
extension FolderView {
    var versions: ServiceObject {
        ServiceObject(functions: writable ? versionedReading.merging(versionedWriting) { $1 } : versionedReading)
    }

    private var versionedReading: [String: ServiceFunction] {
        let (functions, calls) = (StorageFunctions(root: root), VersionedCalls(calls: calls))
        return [
            "getByteSource": functions.reading { (request: FsProto.PathAndFlagsRequestBody, call) in
                try calls.byteSource(self.location(request.path), request.flags, for: call.connection)
            },
            "getXAttr": functions.reading { (request: FsProto.VersionedGetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: self.location(request.path), request.flags)
            },
            "listFolder": functions.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.list(self.location(request.path), request.flags)
            },
            "listVersions": functions.reading { (request: FsProto.PathOnlyRequestBody, _) in
                try calls.versions(self.location(request.path))
            },
            "listXAttrs": functions.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.attributeNames(self.location(request.path), request.flags)
            },
            "readBytes": functions.reading { (request: FsProto.VersionedReadBytesRequestBody, _) in
                try calls.readBytes(self.location(request.path), request.start, request.end, request.flags)
            },
            "readJSONFile": functions.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.readJSON(self.location(request.path), request.flags)
            },
            "readTxtFile": functions.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.readText(self.location(request.path), request.flags)
            },
            "stat": functions.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.stat(self.location(request.path), request.flags)
            },
        ]
    }

    private var versionedWriting: [String: ServiceFunction] {
        let (functions, calls) = (StorageFunctions(root: root), VersionedCalls(calls: calls))
        return [
            "archiveCurrent": functions.writing { (request: FsProto.ArchiveCurrentRequestBody, _) in
                try calls.archive(self.location(request.path), request.version)
            },
            "getByteSink": functions.writing { (request: FsProto.VersionedGetByteSinkRequestBody, call) in
                try calls.byteSink(
                    self.location(request.path), WritingFlags(ofSink: request.flags), for: call.connection)
            },
            "updateXAttrs": functions.writing { (request: FsProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: self.location(request.path))
            },
            "writeBytes": functions.writing { (request: FsProto.VersionedWriteBytesRequestBody, _) in
                calls.reply(
                    try calls.calls.write(
                        request.bytes[...], to: self.location(request.path), WritingFlags(request.flags)))
            },
            "writeJSONFile": functions.writing { (request: FsProto.VersionedWriteJsonFileRequestBody, _) in
                calls.reply(
                    try calls.calls.write(request.json, to: self.location(request.path), WritingFlags(request.flags)))
            },
            "writeTxtFile": functions.writing { (request: FsProto.VersionedWriteTxtFileRequestBody, _) in
                calls.reply(
                    try calls.calls.write(request.txt, to: self.location(request.path), WritingFlags(request.flags)))
            },
        ]
    }
}
