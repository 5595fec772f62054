internal import Components
internal import Storage

/// The object `v` of an `FSImpl`.
extension FolderView {
    var versions: ServiceObject {
        ServiceObject(functions: writable ? versionedReading.merging(versionedWriting) { $1 } : versionedReading)
    }

    private var versionedReading: [String: ServiceFunction] {
        let calls = VersionedCalls(calls: calls)
        return [
            "getByteSource": root.reading { (request: FsProto.PathAndFlagsRequestBody, call) in
                try calls.byteSource(self.location(request.path), request.flags, for: call.connection)
            },
            "getXAttr": root.reading { (request: FsProto.VersionedGetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: self.location(request.path), request.flags)
            },
            "listFolder": root.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.list(self.location(request.path), request.flags)
            },
            "listVersions": root.reading { (request: FsProto.PathOnlyRequestBody, _) in
                try calls.versions(self.location(request.path))
            },
            "listXAttrs": root.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.attributeNames(self.location(request.path), request.flags)
            },
            "readBytes": root.reading { (request: FsProto.VersionedReadBytesRequestBody, _) in
                try calls.readBytes(self.location(request.path), request.start, request.end, request.flags)
            },
            "readJSONFile": root.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.readJSON(self.location(request.path), request.flags)
            },
            "readTxtFile": root.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.readText(self.location(request.path), request.flags)
            },
            "stat": root.reading { (request: FsProto.PathAndFlagsRequestBody, _) in
                try calls.stat(self.location(request.path), request.flags)
            },
        ]
    }

    private var versionedWriting: [String: ServiceFunction] {
        let (tree, calls) = (root.tree, VersionedCalls(calls: calls))
        return [
            "archiveCurrent": root.writing { (request: FsProto.ArchiveCurrentRequestBody, _) in
                try calls.archive(self.location(request.path), request.version)
            },
            "getByteSink": root.writing { (request: FsProto.VersionedGetByteSinkRequestBody, call) in
                try calls.byteSink(
                    self.location(request.path), WritingFlags(ofSink: request.flags), for: call.connection)
            },
            "updateXAttrs": root.writing { (request: FsProto.UpdateXAttrsRequestBody, _) in
                try calls.change(request.changes, of: self.location(request.path))
            },
            "writeBytes": root.writing { (request: FsProto.VersionedWriteBytesRequestBody, _) in
                calls.reply(
                    try tree.write(
                        request.bytes[...], to: self.location(request.path), WritingFlags(request.flags)))
            },
            "writeJSONFile": root.writing { (request: FsProto.VersionedWriteJsonFileRequestBody, _) in
                calls.reply(
                    try tree.write(
                        [UInt8](request.json.utf8)[...], to: self.location(request.path), WritingFlags(request.flags)))
            },
            "writeTxtFile": root.writing { (request: FsProto.VersionedWriteTxtFileRequestBody, _) in
                calls.reply(
                    try tree.write(
                        [UInt8](request.txt.utf8)[...], to: self.location(request.path), WritingFlags(request.flags)))
            },
        ]
    }
}
