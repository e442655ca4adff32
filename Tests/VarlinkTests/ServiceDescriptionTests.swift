// `org.varlink.service`, and what is answered to calls of what is not there.

import TestSupport
import Testing
import Varlink

@Suite struct ServiceDescriptionTests {
    private static let text = "interface io.example.Test\nmethod Add() -> ()\nerror Full ()\n"

    private func answer(_ method: String, _ parameters: String = "{}") throws -> String? {
        let service = ServiceDescription(
            vendor: "v", product: "p", version: "1", url: "u",
            interfaces: [
                .init(name: "io.example.Test", text: Self.text, methods: ["io.example.Test.Add"])
            ])
        var connection = ServerConnection()
        connection.receive(wire(#"{"method":"\#(method)","parameters":\#(parameters)}"#))
        let call = try #require(connection.calls().first)
        guard let message = service.answer(call) else { return nil }
        return messages(message.bytes).first
    }

    @Test func `the service names its interfaces`() throws {
        #expect(
            try answer("org.varlink.service.GetInfo")
                == #"{"parameters":{"vendor":"v","product":"p","version":"1","url":"u","#
                + #""interfaces":["org.varlink.service","io.example.Test"]}}"#)
    }

    @Test func `the text of an interface is shown as written`() throws {
        #expect(
            try answer(
                "org.varlink.service.GetInterfaceDescription", #"{"interface":"io.example.Test"}"#)
                == #"{"parameters":{"description":"interface io.example.Test\nmethod Add() -> ()"#
                + #"\nerror Full ()\n"}}"#)
    }

    @Test func `the service's own methods are left to it`() throws {
        #expect(try answer("io.example.Test.Add") == nil)
    }

    @Test(arguments: [
        ("io.example.Test.Full", "{}", "MethodNotFound", "method", "io.example.Test.Full"),
        ("io.example.Test.add", "{}", "MethodNotFound", "method", "io.example.Test.add"),
        ("org.varlink.service.Nope", "{}", "MethodNotFound", "method", "org.varlink.service.Nope"),
        ("io.example.Other.Add", "{}", "InterfaceNotFound", "interface", "io.example.Other"),
        ("nonsense", "{}", "MethodNotFound", "method", "nonsense"),
        ("", "{}", "MethodNotFound", "method", ""),
        (
            "org.varlink.service.GetInterfaceDescription", #"{"interface":"a.b"}"#,
            "InterfaceNotFound", "interface", "a.b"
        ),
        (
            "org.varlink.service.GetInterfaceDescription", "{}", "InvalidParameter", "parameter",
            "interface"
        ),
        ("org.varlink.service.GetInfo", #"{"x":1}"#, "InvalidParameter", "parameter", "x"),
    ])
    func `what is not there is refused by name`(
        method: String, parameters: String, error: String, member: String, value: String
    ) throws {
        #expect(
            try answer(method, parameters)
                == #"{"error":"org.varlink.service.\#(error)","#
                + #""parameters":{"\#(member)":"\#(value)"}}"#
        )
    }

    @Test(arguments: [
        ServiceError.interfaceNotFound("a.b"), .methodNotFound("a.b.C"),
        .methodNotImplemented("a.b.C"), .invalidParameter("x[0].y"), .permissionDenied,
        .expectedMore, .expectedUpgrade,
    ])
    func `an error of every service comes back as what it was`(error: ServiceError) {
        var connection = ClientConnection()
        connection.send(method: "a.b.C", parameters: NoParameters())
        connection.receive(ReplyMessage.failure(error).bytes)
        guard case .failure(_, let reply)? = connection.nextEvent() else {
            Issue.record("no failure")
            return
        }
        #expect(reply.serviceError == error)
    }

    @Test func `the standard interface's text is whole`() throws {
        let interface = try VarlinkInterface(text: ServiceInterface.text)
        #expect(interface.name == ServiceError.interface)
        #expect(undocumentedParts(of: interface) == [])
        #expect(
            interface.methodNames.map { "org.varlink.service.\($0)" } == [
                ServiceInterface.GetInfo.name, ServiceInterface.GetInterfaceDescription.name,
            ])
    }
}
