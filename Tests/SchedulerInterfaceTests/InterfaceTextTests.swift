// The texts that the daemon describes itself with are the files of the repository.

import SchedulerInterface
import Testing

@Suite struct InterfaceTextTests {
    @Test(arguments: [
        ("interface io.schedd.Scheduler\n", InterfaceText.scheduler),
        ("interface io.schedd.Manager\n", InterfaceText.manager),
    ])
    func `the compiled-in text is that of its interface`(declaration: String, text: String) {
        #expect(text.contains(declaration))
    }
}
