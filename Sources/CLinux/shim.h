// What the C library offers and Swift's Glibc module leaves out, because it does not list the
// header or hides the name behind _GNU_SOURCE. Declarations only.

// Without this the C library's own types, which the headers below include, would seem to be ours.
#pragma clang module import SwiftGlibc

#include <getopt.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

// getopt's state: whoever uses it has to see to it that nobody else does at the same time.
// Second names for optind, opterr, optopt and optarg, since Swift refuses plain C globals.
#define ONE_USER_AT_A_TIME __attribute__((swift_attr("nonisolated(unsafe)")))
extern int getopt_index __asm__("optind") ONE_USER_AT_A_TIME;
extern int getopt_prints_errors __asm__("opterr") ONE_USER_AT_A_TIME;
extern int getopt_option __asm__("optopt") ONE_USER_AT_A_TIME;
extern char *getopt_argument __asm__("optarg") ONE_USER_AT_A_TIME;

int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int descriptors[2], int flags);

// The layout of struct ucred (unix(7)), as SO_PEERCRED fills it.
struct peer_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};
