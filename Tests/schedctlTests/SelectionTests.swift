// Which requests an id means, over several apps.

import SchedulerInterface
import Testing
import schedctl

struct SelectionTests {
    private let items = [
        Wire.RemovedItem(app: "a", identifier: "tea"), .init(app: "b", identifier: "tea"),
        .init(app: "a", identifier: "call"),
    ]

    @Test func `an id of one app is found`() throws {
        let found = try ItemSelection.items(of: ["call"], in: items, kind: "pending")
        #expect(found == [Wire.RemovedItem(app: "a", identifier: "call")])
    }

    @Test func `what is unknown or in several apps is named, and nothing is chosen`() {
        let failure = #expect(throws: Failure.self) {
            try ItemSelection.items(of: ["call", "tea", "x\u{7}"], in: items, kind: "pending")
        }
        #expect(
            failure?.message == """
                the id 'tea' is in several apps: a, b; say which with --app
                nothing pending has the id 'x\\x07'
                """)
    }

    @Test func `one item is chosen by the same rule`() throws {
        func key(_ item: Wire.RemovedItem) -> Wire.RemovedItem { item }
        let call = try ItemSelection.item("call", in: items, kind: "pending", key: key)
        #expect(call.app == "a")
        #expect(throws: Failure("the id 'tea' is in several apps: a, b; say which with --app")) {
            try ItemSelection.item("tea", in: items, kind: "pending", key: key)
        }
    }
}
