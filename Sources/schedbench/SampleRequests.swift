// The requests that benchmarks add: about 450 bytes of JSON each, dates, intervals and calendars in
// turn, none of them due today.

import Foundation
import Platform
import SchedulerClient
import SchedulerInterface

enum SampleRequests {
    /// As many as an app may have pending.
    static let perApp = 64

    private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Tokyo"]

    static func request(_ number: Int) -> Wire.Request {
        let day: Int64 = 86_400_000_000
        let trigger: Wire.Trigger =
            switch number % 3 {
            case 0:
                Wire.Trigger(
                    date: Wire.DateTrigger(
                        atUsec: Clock.wallMicroseconds() + day * 2 + Int64(number) * 1_000_000))
            case 1:
                Wire.Trigger(
                    interval: Wire.IntervalTrigger(seconds: 200_000 + Double(number)),
                    repeats: true)
            default:
                Wire.Trigger(
                    calendar: Wire.CalendarTrigger(
                        // A day of the past and one of the far future: never today.
                        year: [2_090], month: [Int64(number % 12 + 1)],
                        hour: [Int64(number % 24)], minute: [Int64(number % 60)],
                        timeZone: zones[number % zones.count]))
            }
        return Wire.Request(
            identifier: "reminder-\(number)",
            content: Wire.Content(
                title: "Call the dentist about the appointment", subtitle: "Reminder \(number)",
                body: "The practice is open from 08:00 to 12:00 and from 14:00 to 17:00. Ask for "
                    + "the earliest date in the week after next, and whether the insurance card "
                    + "has to be shown again in the new quarter."),
            trigger: trigger)
    }

    static func app(_ number: Int) -> String { "org.example.bench\(number)" }

    /// Adds so many requests, an app's 64 in a batch.
    static func add(_ count: Int, firstApp: Int = 0, over connection: SchedulerConnection) throws {
        for start in stride(from: 0, to: count, by: perApp) {
            let requests = (start..<min(start + perApp, count)).map(request)
            _ = try connection.call(
                SchedulerMethod.Add.self,
                SchedulerMethod.Add.Parameters(
                    app: app(firstApp + start / perApp), requests: requests))
        }
    }
}
