// What schedd uses of libsystemd: sd_notify and friends, sd-bus, the journal.

// Without this the C library's own types, which the headers below include, would seem to be ours.
#pragma clang module import SwiftGlibc

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
