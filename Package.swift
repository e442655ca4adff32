// swift-tools-version: 6.2
// The targets in the order in which they may depend on each other: only upwards in this list.
// README.md shows the same list as a map; TidyTests hold every file's imports against it.

import PackageDescription

/// Glibc, Dispatch and the standard library are imported without being named here.
let package = Package(
    name: "schedd",
    products: [
        .executable(name: "schedd", targets: ["schedd"]),
        .executable(name: "schedctl", targets: ["schedctl"]),
    ],
    targets: [
        .target(name: "CivilTime"),
        .target(name: "TimingWheel"),
        .target(name: "Scheduling", dependencies: ["CivilTime", "TimingWheel"]),
        .target(name: "Varlink"),
        .executableTarget(name: "InterfaceGenerator", dependencies: ["Varlink"]),
        .plugin(
            name: "InterfacePlugin", capability: .buildTool(),
            dependencies: ["InterfaceGenerator"], path: "Sources/InterfacePlugin"),
        .target(
            name: "SchedulerInterface", dependencies: ["Varlink"],
            plugins: ["InterfacePlugin"]),
        .target(name: "Platform", dependencies: ["CivilTime", "CSystemd", "CLinux"]),
        .target(
            name: "Service",
            dependencies: [
                "CivilTime", "TimingWheel", "Scheduling", "Varlink", "SchedulerInterface",
                "Platform", "CSystemd", "CSQLite",
            ]),
        .target(
            name: "SchedulerClient", dependencies: ["Varlink", "SchedulerInterface", "Platform"]),
        .executableTarget(
            name: "schedd", dependencies: ["Service", "Platform", "SchedulerInterface"]),
        .executableTarget(
            name: "schedctl",
            dependencies: [
                "CivilTime", "Varlink", "SchedulerInterface", "SchedulerClient", "Platform",
            ]),
        .executableTarget(
            name: "schedbench",
            dependencies: [
                "CivilTime", "TimingWheel", "Varlink", "SchedulerInterface", "Platform",
                "SchedulerClient", "Service", "CSQLite", "CSystemd", "CLinux",
            ],
            linkerSettings: [
                // Its own functions stand in for the allocator, to count what is allocated.
                .unsafeFlags([
                    "-Xlinker", "--defsym=malloc=schedbench_malloc",
                    "-Xlinker", "--defsym=calloc=schedbench_calloc",
                ])
            ]),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CLinux"),

        .target(
            name: "TestSupport",
            dependencies: ["CivilTime", "Scheduling", "Varlink", "SchedulerInterface", "CLinux"],
            path: "Tests/TestSupport"),
        .testTarget(name: "CivilTimeTests", dependencies: ["CivilTime", "TestSupport"]),
        .testTarget(name: "TimingWheelTests", dependencies: ["TimingWheel", "TestSupport"]),
        .testTarget(
            name: "SchedulingTests",
            dependencies: ["Scheduling", "CivilTime", "TimingWheel", "TestSupport"]),
        .testTarget(
            name: "SimulationTests", dependencies: ["Scheduling", "CivilTime", "TestSupport"]),
        .testTarget(name: "VarlinkTests", dependencies: ["Varlink", "TestSupport"]),
        .testTarget(
            name: "SchedulerInterfaceTests",
            dependencies: [
                "SchedulerInterface", "InterfaceGenerator", "Varlink", "TestSupport",
            ]),
        .testTarget(
            name: "PlatformTests", dependencies: ["Platform", "CivilTime", "TestSupport"]),
        .testTarget(
            name: "ServiceTests",
            dependencies: [
                "Service", "Scheduling", "CivilTime", "Varlink", "SchedulerInterface", "Platform",
                "CSystemd", "CSQLite", "TestSupport",
            ],
            exclude: ["Store/Fixtures"]),
        .testTarget(
            name: "schedctlTests",
            dependencies: [
                "schedctl", "CivilTime", "Varlink", "SchedulerInterface", "Platform",
                "SchedulerClient", "TestSupport",
            ],
            exclude: ["Snapshots"]),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "CivilTime", "Platform", "CSystemd", "SchedulerInterface", "TestSupport", "schedd",
                "schedctl",
            ]),
        .testTarget(name: "TidyTests", dependencies: ["TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)

/// libFuzzer brings its own main, so its entries are libraries; `Tests/Fuzz/run` links one.
let fuzzTargets: [Target] = [
    .target(name: "FuzzTZif", dependencies: ["CivilTime"], path: "Tests/Fuzz/FuzzTZif"),
    .target(name: "FuzzPosixRule", dependencies: ["CivilTime"], path: "Tests/Fuzz/FuzzPosixRule"),
    .target(
        name: "FuzzExpression", dependencies: ["CivilTime"], path: "Tests/Fuzz/FuzzExpression"),
    .target(
        name: "FuzzOnCalendar", dependencies: ["FuzzExpression", "CivilTime"],
        path: "Tests/Fuzz/FuzzOnCalendar"),
    .target(
        name: "FuzzCron", dependencies: ["FuzzExpression", "CivilTime"], path: "Tests/Fuzz/FuzzCron"
    ),
    .target(
        name: "FuzzAdd", dependencies: ["SchedulerInterface", "Varlink"], path: "Tests/Fuzz/FuzzAdd"
    ),
    .target(
        name: "FuzzFields", dependencies: ["FuzzExpression", "CivilTime"],
        path: "Tests/Fuzz/FuzzFields"),
]
if Context.environment["FUZZ"] != nil {
    package.targets += fuzzTargets
    package.products += fuzzTargets.map { target in
        .library(name: target.name, type: .static, targets: [target.name])
    }
}

for target in package.targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]
}
