internal import Components

/// `w3n.rpc`: services of the app's own components, and of other apps.
enum RPCCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject? {
        var functions: [String: ServiceFunction] = [:]
        if subject.requested.contains(.ownServices) { functions["thisApp"] = thisApp(subject) }
        if subject.requested.contains(.otherServices) { functions["otherAppsRPC"] = otherApps(subject) }
        if !subject.component.services.isEmpty { functions["exposeService"] = exposeService(subject) }
        return .unlessEmpty(functions: functions)
    }

    private static func thisApp(_ subject: CapabilitySubject) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            let service = try RpcProto.AppRPCRequestBody(body: call.body).service
            let permission = Permission(.ownServices, .named(service, app: nil))
            try subject.access.check(permission)
            let pipe = try await subject.platform.connect(
                subject.id, to: service, of: subject.app.domain, under: permission)
            return try call.connection.expose(CallerSide.object(for: pipe)).encoded
        }
    }

    private static func otherApps(_ subject: CapabilitySubject) -> ServiceFunction {
        .promise { call async throws(RuntimeException) in
            let request = try RpcProto.OtherAppsRPCRequestBody(body: call.body)
            guard let domain = AppDomain(request.appDomain) else { throw ServicePipe.exception("serviceNotFound") }
            let permission = Permission(.otherServices, .named(request.service, app: domain))
            try subject.access.check(permission)
            let pipe = try await subject.platform.connect(
                subject.id, to: request.service, of: domain, under: permission)
            return try call.connection.expose(CallerSide.object(for: pipe)).encoded
        }
    }

    /// Emits an `IncomingConnection` for each caller.
    private static func exposeService(_ subject: CapabilitySubject) -> ServiceFunction {
        .observable { call, values async throws(RuntimeException) in
            let service = try RpcProto.ExposeSrvRequestBody(body: call.body).service
            for await pipe in try await subject.platform.expose(service, by: subject.id) {
                try await values.emit(call.connection.expose(ServiceSide.object(for: pipe)))
                pipe.accept()
            }
        }
    }
}
