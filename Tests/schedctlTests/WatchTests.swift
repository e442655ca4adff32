// `watch` over the end of a connection: it goes on with the event after the last one, and says so.

import SchedulerInterface
import Synchronization
import TestSupport
import Testing
import Varlink
import schedctl

struct WatchTests {
    private typealias Subscribe = ManagerMethod.Subscribe

    private static func event(_ kind: Wire.EventKind, _ identifier: String) -> Wire.Event {
        Wire.Event(kind: kind, app: "a", identifier: identifier, atUsec: 1_796_112_000_000_000)
    }

    private static func update(_ reply: Subscribe.Reply) -> ReplyMessage { .update(reply) }

    @Test func `events are printed until there are enough`() throws {
        let service = try FakeService { _, _ in
            .replies([
                Self.update(.init(cursor: "0", pending: [], ready: true)),
                Self.update(
                    .init(
                        cursor: "3",
                        events: [
                            Self.event(.added, "x"), Self.event(.fired, "x"),
                            Self.event(.fired, "y"), Self.event(.fired, "z"),
                        ])),
            ])
        }
        let run = Run()
        #expect(try run("watch", "--for", "fired", "--count", "2", service: service) == nil)
        #expect(
            run.output == """
                Tue 2026-12-01 09:00:00  fired             a  x
                Tue 2026-12-01 09:00:00  fired             a  y

                """)
        #expect(run.notes == "schedctl: connected, waiting for events\n")
    }

    @Test func `it connects again and resumes at its cursor`() throws {
        let cursors = Mutex<[String?]>([])
        let service = try FakeService { call, count in
            let cursor = try? call.parameters(of: Subscribe.self).cursor
            cursors.withLock { $0.append(cursor) }
            if count == 0 {
                return .repliesThenClose([
                    Self.update(.init(cursor: "0", pending: [], delivered: [])),
                    Self.update(.init(cursor: "1", ready: true)),
                    Self.update(.init(cursor: "2", events: [Self.event(.added, "x")])),
                ])
            }
            return .replies([
                Self.update(.init(cursor: "2", resumed: true, ready: true)),
                Self.update(.init(cursor: "3", events: [Self.event(.fired, "x")])),
            ])
        }
        let run = Run()
        #expect(try run("watch", "--json", "--count", "2", service: service) == nil)
        #expect(cursors.withLock { $0 } == [nil, "2"])
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix(#"{"kind":"added","app":"a","identifier":"x""#) == true)
        #expect(
            run.notes == """
                schedctl: connected, waiting for events
                schedctl: connection lost, connecting again
                schedctl: connected again

                """)
    }

    private static func delivered(_ number: Int64) -> Wire.DeliveredNotification {
        Wire.DeliveredNotification(
            app: "a", identifier: "n\(number)", delivery: number, content: .init(title: "T"),
            dueUsec: 1, firedUsec: 1_796_112_000_000_000, presentedUsec: nil, late: true,
            missedCount: 1)
    }

    @Test func `firings that schedd has no events of any more are shown once`() throws {
        let service = try FakeService { _, count in
            if count == 0 {
                var fired = Self.event(.fired, "n3")
                fired.delivery = 3
                return .repliesThenClose([
                    Self.update(.init(cursor: "a", delivered: [1, 2].map(Self.delivered))),
                    Self.update(.init(cursor: "a", ready: true)),
                    Self.update(.init(cursor: "b", events: [fired])),
                ])
            }
            return .replies([
                Self.update(
                    .init(cursor: "c", delivered: [5, 2].map(Self.delivered), resumed: false)),
                Self.update(
                    .init(cursor: "c", delivered: [3, 4].map(Self.delivered), ready: true)),
                Self.update(.init(cursor: "d", events: [Self.event(.added, "last")])),
            ])
        }
        let run = Run()
        #expect(try run("watch", "--count", "4", "--json", service: service) == nil)
        let identifiers = run.output.split(separator: "\n").compactMap {
            $0.split(separator: "\"").drop { $0 != "identifier" }.dropFirst(2).first
        }
        #expect(identifiers == ["n3", "n4", "n5", "last"])
        #expect(run.notes.contains("only firings are shown"))
    }

    @Test func `it fails at once when it was never connected, and when schedd refuses`() throws {
        let closing = try FakeService { _, _ in .repliesThenClose([]) }
        let message = try #require(try Run()("watch", service: closing))
        #expect(message.contains("closed the connection"))
        let refusing = try FakeService { _, _ in
            .replies([
                .failure(ManagerFailure.InvalidRequest(field: "app", reason: "no such form"))
            ])
        }
        #expect(try Run()("watch", service: refusing) == "--app: no such form")
    }
}
