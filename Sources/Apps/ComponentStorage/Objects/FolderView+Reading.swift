internal import Components
internal import Storage

/// The functions of an `FSImpl` that may only be read.
extension FolderView {
    var readingFunctions: [String: ServiceFunction] {
        let calls = calls
        return [
            "checkFilePresence": root.reading { (request: FsProto.CheckPresenceRequestBody, _) in
                try self.isPresent(.file, request)
            },
            "checkFolderPresence": root.reading { (request: FsProto.CheckPresenceRequestBody, _) in
                try self.isPresent(.folder, request)
            },
            "checkLinkPresence": root.reading { (request: FsProto.CheckPresenceRequestBody, _) in
                try self.isPresent(.symbolicLink, request)
            },
            "close": .immediate { _ in
                self.close()
                return nil
            },
            "getByteSource": root.reading { (request: FsProto.PathOnlyRequestBody, call) in
                try calls.byteSource(self.location(request.path), for: call.connection)
            },
            "getXAttr": root.reading { (request: FsProto.GetXAttrRequestBody, _) in
                try calls.attribute(request.xaName, of: self.location(request.path))
            },
            "listXAttrs": root.reading { (request: FsProto.PathOnlyRequestBody, _) in
                try calls.attributes(of: self.location(request.path))
            },
            "listFolder": root.reading { (request: FsProto.PathOnlyRequestBody, _) in
                let entries = try self.root.tree.entries(self.location(request.path))
                return FsProto.ListFolderReplyBody(entries: entries.map(FsProto.ListingEntryMsg.init)).encoded
            },
            "readBytes": root.reading { (request: FsProto.ReadBytesRequestBody, call) in
                try calls.readBytes(self.location(request.path), request.start, request.end, call)
            },
            "readJSONFile": root.reading { (request: FsProto.PathOnlyRequestBody, _) in
                try calls.readJSON(self.location(request.path))
            },
            "readTxtFile": root.reading { (request: FsProto.PathOnlyRequestBody, _) in
                try calls.readText(self.location(request.path))
            },
            "readLink": root.reading { (request: FsProto.PathOnlyRequestBody, call) in
                try self.readLink(self.location(request.path), for: call.connection)
            },
            "readonlyFile": root.reading { (request: FsProto.PathOnlyRequestBody, call) in
                try self.readonlyFile(self.location(request.path), for: call.connection)
            },
            "readonlySubRoot": root.reading { (request: FsProto.PathOnlyRequestBody, call) in
                let location = try self.location(request.path)
                _ = try self.root.tree.openFolder(location)
                return try self.inner(location, writable: false).serve(on: call.connection).encoded
            },
            "stat": root.reading { (request: FsProto.PathOnlyRequestBody, _) in
                try calls.stat(self.location(request.path))
            },
        ]
    }

    /// A folder in this one, as a root of its own.
    func inner(_ location: Location, writable: Bool) -> FolderView {
        FolderView(root: root, base: location.path, writable: writable, name: location.path.name ?? name)
    }

    private func isPresent(
        _ kind: FileStatus.Kind, _ request: FsProto.CheckPresenceRequestBody
    ) throws(RuntimeException) -> [UInt8] {
        let location = try location(request.path)
        let found = try root.tree.status(location)?.kind
        if request.throwIfMissing?.value == true, found != kind {
            guard let found, found != .other else { throw location.exception(.missing) }
            switch kind {
            case .folder: throw location.exception(.notDirectory)
            case .symbolicLink: throw .file(flag: "notLink", at: location.shown)
            case .file, .other: throw location.exception(.notFile)
            }
        }
        return CommonProto.BooleanValue(value: found == kind).encoded
    }

    private func readonlyFile(
        _ location: Location, for connection: ObjectConnection
    ) throws(RuntimeException) -> [UInt8] {
        // Opened, so that what is wrong with it is said now.
        _ = try root.tree.open(location)
        return try FileView(root: root, location: location, writable: false, isNew: false).serve(on: connection).encoded
    }
}

extension FsProto.ListingEntryMsg {
    init(_ entry: FolderEntry) {
        self.init(
            name: entry.name, isFile: .when(entry.kind == .file), isFolder: .when(entry.kind == .folder),
            isLink: .when(entry.kind == .symbolicLink))
    }
}
