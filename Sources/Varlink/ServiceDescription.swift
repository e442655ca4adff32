// `org.varlink.service`: what every service says about itself, and the refusal of calls to what it
// does not have.

/// The methods of `org.varlink.service`.
package enum ServiceInterface {
    package enum GetInfo: VarlinkMethod {
        package typealias Parameters = NoParameters
        package struct Reply: Hashable, Sendable {
            package var vendor: String
            package var product: String
            package var version: String
            package var url: String
            package var interfaces: [String]
        }
        package static let name = "org.varlink.service.GetInfo"
    }

    package enum GetInterfaceDescription: VarlinkMethod {
        package struct Parameters: Hashable, Sendable {
            package var interface: String

            package init(interface: String) {
                self.interface = interface
            }
        }
        package struct Reply: Hashable, Sendable {
            package var description: String
        }
        package static let name = "org.varlink.service.GetInterfaceDescription"
    }

    /// The interface as UAPI.20 has it.
    package static let text = """
        # The interface that every Varlink service provides
        interface org.varlink.service

        # What the service is, and which interfaces it has
        method GetInfo() -> (
            # Who makes it
            vendor: string,
            # Its name
            product: string,
            # Its version
            version: string,
            # Where to read about it
            url: string,
            # Names of all its interfaces
            interfaces: []string
        )

        # The text of one of the interfaces
        method GetInterfaceDescription(
            # Name of the interface
            interface: string
        ) -> (
            # Its text
            description: string
        )

        # There is no such interface
        error InterfaceNotFound (
            # The name asked for
            interface: string
        )

        # The interface has no such method
        error MethodNotFound (
            # The method called
            method: string
        )

        # The method is declared and not available
        error MethodNotImplemented (
            # The method called
            method: string
        )

        # A parameter is unknown, missing, or not what is declared
        error InvalidParameter (
            # Where it is
            parameter: string
        )

        # The caller may not do this
        error PermissionDenied ()

        # The method has to be called with "more"
        error ExpectedMore ()

        # The method has to be called with "upgrade"
        error ExpectedUpgrade ()

        """
}

// The interface generator stands on this target, so that it cannot write these.

extension ServiceInterface.GetInfo.Reply: JSONReadable, JSONWritable {
    package init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["vendor", "product", "version", "url", "interfaces"])
        vendor = try members.required(0).string()
        product = try members.required(1).string()
        version = try members.required(2).string()
        url = try members.required(3).string()
        interfaces = try members.required(4).strings()
    }

    package func write(to text: inout JSONText) {
        text.object { text in
            text.member("vendor", vendor)
            text.member("product", product)
            text.member("version", version)
            text.member("url", url)
            text.member("interfaces", interfaces)
        }
    }
}

extension ServiceInterface.GetInterfaceDescription.Parameters: JSONReadable, JSONWritable {
    package init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["interface"])
        interface = try members.required(0).string()
    }

    package func write(to text: inout JSONText) {
        text.object { text in text.member("interface", interface) }
    }
}

extension ServiceInterface.GetInterfaceDescription.Reply: JSONReadable, JSONWritable {
    package init(_ reader: JSONReader) throws(JSONMistake) {
        let members = try reader.members(["description"])
        description = try members.required(0).string()
    }

    package func write(to text: inout JSONText) {
        text.object { text in text.member("description", description) }
    }
}

/// What a service says about itself.
package struct ServiceDescription: Sendable {
    /// One of the service's own interfaces.
    package struct Interface: Sendable {
        package let name: String
        package let text: String
        /// In full.
        package let methods: [String]

        package init(name: String, text: String, methods: [String]) {
            self.name = name
            self.text = text
            self.methods = methods
        }
    }

    private let identity: ServiceInterface.GetInfo.Reply
    private let texts: [String: String]
    private let methods: Set<String>

    package init(
        vendor: String, product: String, version: String, url: String,
        interfaces: [Interface]
    ) {
        identity = .init(
            vendor: vendor, product: product, version: version, url: url,
            interfaces: [ServiceError.interface] + interfaces.map(\.name))
        var texts = [ServiceError.interface: ServiceInterface.text]
        var methods: Set<String> = []
        for interface in interfaces {
            texts[interface.name] = interface.text
            methods.formUnion(interface.methods)
        }
        self.texts = texts
        self.methods = methods
    }

    /// The answer to a call of `org.varlink.service`, or of anything that is not declared; nil
    /// for the methods of the service's own interfaces.
    package func answer(_ call: Call) -> ReplyMessage? {
        guard !methods.contains(call.method) else { return nil }
        do throws(ServiceError) {
            switch call.method {
            case ServiceInterface.GetInfo.name:
                _ = try call.parameters(of: ServiceInterface.GetInfo.self)
                return .reply(identity)
            case ServiceInterface.GetInterfaceDescription.name:
                let method = ServiceInterface.GetInterfaceDescription.self
                let interface = try call.parameters(of: method).interface
                guard let text = texts[interface] else { throw .interfaceNotFound(interface) }
                return .reply(ServiceInterface.GetInterfaceDescription.Reply(description: text))
            default:
                throw ServiceDescription.refusal(of: call.method, interfaces: texts.keys)
            }
        } catch {
            return .failure(error)
        }
    }

    private static func refusal(
        of method: String, interfaces: some Collection<String>
    ) -> ServiceError {
        guard let dot = method.lastIndex(of: "."), !interfaces.contains(String(method[..<dot]))
        else { return .methodNotFound(method) }
        return .interfaceNotFound(String(method[..<dot]))
    }
}
