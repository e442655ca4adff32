// A disk that stalls or fails when the test says so: a library between schedd and the C library
// that holds up every write to a file, and every sync, for as long as a file of some name exists.

import Foundation

struct FaultyDisk {
    private let folder: String

    /// SQLite writes with pwrite64(2) and syncs with fdatasync(2); nothing else of schedd does.
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <poll.h>
        #include <stdlib.h>
        #include <unistd.h>

        /* 0 when the disk works, after it has stopped stalling; else -1 and errno. */
        static int disk(void) {
            const char *stalls = getenv("DISK_STALLS"), *fails = getenv("DISK_FAILS");
            while (stalls && access(stalls, F_OK) == 0) poll(0, 0, 5);
            if (!fails || access(fails, F_OK) != 0) return 0;
            errno = EIO;
            return -1;
        }

        #define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

        int fsync(int fd) { return disk() ? -1 : REAL(fsync)(fd); }
        int fdatasync(int fd) { return disk() ? -1 : REAL(fdatasync)(fd); }
        ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
            return disk() ? -1 : REAL(pwrite64)(fd, bytes, count, offset);
        }

        """

    init(in bed: TestBed) throws {
        folder = bed.root
        try Data(Self.source.utf8).write(to: URL(filePath: folder + "/disk.c"))
        let words = ["-shared", "-fPIC", "-O1", "-o", folder + "/disk.so", folder + "/disk.c"]
        let built = try bed.run("/usr/bin/cc", words + ["-ldl"])
        guard built.status == 0 else { throw TestError.failed("cc: \(built)") }
    }

    /// For the schedd that is to be on this disk.
    var environment: [String: String?] {
        [
            "LD_PRELOAD": folder + "/disk.so", "DISK_STALLS": stallPath, "DISK_FAILS": failPath,
        ]
    }

    private var stallPath: String { folder + "/stalls" }
    private var failPath: String { folder + "/fails" }

    func stall() throws { try Data().write(to: URL(filePath: stallPath)) }
    func goOn() throws { try FileManager.default.removeItem(atPath: stallPath) }
    func fail() throws { try Data().write(to: URL(filePath: failPath)) }
    func recover() throws { try FileManager.default.removeItem(atPath: failPath) }
}
