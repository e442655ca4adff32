// The messages of io.schedd.Scheduler and io.schedd.Manager as Codable types, one to one with the
// interface texts beside this file. They say what is on the wire and decide nothing; the service
// turns them into the scheduler's own values and checks them on the way.

/// The namespace of the wire's types, so that `Wire.Request` and the scheduler's `Request` stay
/// apart.
package enum Wire {}
