// The texts that schedd describes itself with: whole without the one that they share types with,
// and explained in every part.

import SchedulerInterface
import TestSupport
import Testing
import Varlink

@Suite struct InterfaceTextTests {
    private static let texts = [
        (SchedulerMethod.interface, SchedulerMethod.interfaceText),
        (ManagerMethod.interface, ManagerMethod.interfaceText),
    ]

    @Test(arguments: texts)
    func `a published text stands alone`(name: String, text: String) throws {
        let interface = try VarlinkInterface(text: text)
        #expect(interface.name == name)
        #expect(interface.text == text)
        #expect(undocumentedParts(of: interface) == [])
    }

    @Test func `methods are listed as the texts have them`() throws {
        let scheduler = try VarlinkInterface(text: SchedulerMethod.interfaceText)
        #expect(
            SchedulerMethod.allCases.map(\.rawValue)
                == scheduler.methodNames.map { "io.schedd.Scheduler.\($0)" })
        let manager = try VarlinkInterface(text: ManagerMethod.interfaceText)
        #expect(
            ManagerMethod.allCases.map(\.rawValue)
                == manager.methodNames.map { "io.schedd.Manager.\($0)" })
    }
}
