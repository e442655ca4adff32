// What schedd uses of libsystemd: sd_notify and friends, sd-bus, the journal.
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
