// The one place of the version, which schedd and schedctl are released with together.

/// The version of schedd and its programs.
package enum SchedulerVersion {
    package static let text = "0.1.0"
}
