// Runs a command and makes the n-th of its system calls that change a disk fail.
//
//     Faults [-r FOLDER] [-l LOG] [-s] MODE N[+] COMMAND [ARGUMENT]...
//
// MODE: none    no call fails
//       kill    SIGKILL in place of the call
//       tear    half of the call's data is written, then SIGKILL
//       term    SIGTERM before the call
//       hook    $FAULTS_HOOK runs while the command is stopped before the call, then SIGKILL: if the hook copies a
//               disk, the copy is what a power cut would leave
//       short   half of the call's data is written, and the call says so
//       eintr enospc eio erofs edquot    the call fails
// N+    this call and all after it
// -r  counts only calls on files under FOLDER
// -l  writes each call that counts, with its path, to LOG; the last line is their number
// -s  omits every sync and reports success, like a program that does not sync
//
// Exits with the command's code, 128 + the signal that ended it, or 125 if it could not be run.
// Calls of all threads are counted, below any library (ptrace and seccomp), so none is missed: those of libxlsxwriter's
// stdio and of a static runtime count as well. Linux on x86-64 only; elsewhere it exits with 125.

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__) && defined(__x86_64__)
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

/// A system call that can change a disk, and which of its arguments names the file, and how.
struct call {
    long number;
    const char *name;
    char names; // 'f': a descriptor in the first argument; 'a', 'b', 'c': a path in the first, second, third
};

static const struct call calls[] = {
    {SYS_write, "write", 'f'}, {SYS_pwrite64, "pwrite64", 'f'}, {SYS_writev, "writev", 'f'},
    {SYS_pwritev, "pwritev", 'f'}, {SYS_fsync, "fsync", 'f'}, {SYS_fdatasync, "fdatasync", 'f'},
    {SYS_ftruncate, "ftruncate", 'f'}, {SYS_fallocate, "fallocate", 'f'}, {SYS_fchmod, "fchmod", 'f'},
    {SYS_fchown, "fchown", 'f'}, {SYS_sendfile, "sendfile", 'f'}, {SYS_copy_file_range, "copy_file_range", 'f'},
    {SYS_open, "open", 'a'}, {SYS_openat, "openat", 'b'}, {SYS_creat, "creat", 'a'}, {SYS_truncate, "truncate", 'a'},
    {SYS_rename, "rename", 'a'}, {SYS_renameat, "renameat", 'b'}, {SYS_renameat2, "renameat2", 'b'},
    {SYS_link, "link", 'a'}, {SYS_linkat, "linkat", 'b'}, {SYS_symlink, "symlink", 'b'},
    {SYS_symlinkat, "symlinkat", 'c'}, {SYS_unlink, "unlink", 'a'}, {SYS_unlinkat, "unlinkat", 'b'},
    {SYS_rmdir, "rmdir", 'a'}, {SYS_mkdir, "mkdir", 'a'}, {SYS_mkdirat, "mkdirat", 'b'}, {SYS_chmod, "chmod", 'a'},
    {SYS_fchmodat, "fchmodat", 'b'}, {SYS_chown, "chown", 'a'}, {SYS_lchown, "lchown", 'a'},
    {SYS_fchownat, "fchownat", 'b'}, {SYS_utimensat, "utimensat", 'b'},
};
enum { call_count = sizeof calls / sizeof *calls };

static const char *mode, *root = "";
static long chosen;
static bool is_sticky, skips_syncs;
static FILE *list;
static pid_t command;
static long counted;
static int ended = 125;

static int fail(const char *what) {
    fprintf(stderr, "Faults: %s: %s\n", what, strerror(errno));
    return 125;
}

static unsigned long long argument(const struct user_regs_struct *r, int index) {
    const unsigned long long all[] = {r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9};
    return all[index];
}

/// The path that the call concerns, as far as it is known. It need not be absolute.
static void path_of(pid_t thread, const struct call *call, const struct user_regs_struct *r, char path[PATH_MAX]) {
    memset(path, 0, PATH_MAX);
    if (call->names == 'f') {
        char link[64];
        snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, (int)r->rdi);
        if (readlink(link, path, PATH_MAX - 1) < 0) path[0] = 0;
        return;
    }
    unsigned long long address = argument(r, call->names - 'a');
    // A path may end just before unmapped memory, so it is read up to the end of each page.
    for (size_t had = 0; had < PATH_MAX - 1;) {
        size_t part = 4096 - (address + had) % 4096;
        if (part > PATH_MAX - 1 - had) part = PATH_MAX - 1 - had;
        struct iovec to = {path + had, part}, from = {(void *)(address + had), part};
        if (process_vm_readv(thread, &to, 1, &from, 1, 0) != (ssize_t)part || memchr(path + had, 0, part)) return;
        had += part;
    }
}

static bool is_sync(long number) { return number == SYS_fsync || number == SYS_fdatasync; }

static bool is_write(long number) { return number == SYS_write || number == SYS_pwrite64; }

/// A call that a signal may interrupt.
static bool can_be_interrupted(long number) {
    const long all[] = {SYS_write, SYS_pwrite64, SYS_open, SYS_openat, SYS_ftruncate, SYS_fallocate, SYS_fsync, SYS_fdatasync};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] == number) return true;
    return false;
}

static bool opens_for_reading(const struct user_regs_struct *r) {
    unsigned long long flags;
    if (r->orig_rax == SYS_open) flags = r->rsi;
    else if (r->orig_rax == SYS_openat) flags = r->rdx;
    else return false;
    return (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) == 0;
}

static void answer(pid_t thread, struct user_regs_struct *r, long value) {
    r->orig_rax = -1; // the kernel does nothing, and returns what stands in rax
    r->rax = value;
    ptrace(PTRACE_SETREGS, thread, 0, r);
}

static void halve(pid_t thread, struct user_regs_struct *r) {
    if (!is_write(r->orig_rax) || r->rdx < 2) return;
    r->rdx /= 2;
    ptrace(PTRACE_SETREGS, thread, 0, r);
}

/// Applies the mode to the chosen call. Returns how the thread is to be resumed.
static int strike(pid_t thread, struct user_regs_struct *r) {
    static const struct { const char *mode; int code; } errors[] = {
        {"eintr", EINTR}, {"enospc", ENOSPC}, {"eio", EIO}, {"erofs", EROFS}, {"edquot", EDQUOT},
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (strcmp(mode, errors[i].mode) == 0 && (errors[i].code != EINTR || can_be_interrupted(r->orig_rax)))
            answer(thread, r, -errors[i].code);
    if (strcmp(mode, "short") == 0) halve(thread, r);
    if (strcmp(mode, "term") == 0) kill(command, SIGTERM);
    if (strcmp(mode, "hook") == 0 && system(getenv("FAULTS_HOOK")) != 0) fputs("Faults: the hook failed\n", stderr);
    if (strcmp(mode, "kill") == 0 || strcmp(mode, "hook") == 0) kill(command, SIGKILL);
    if (strcmp(mode, "tear") != 0) return PTRACE_CONT;
    halve(thread, r);
    return PTRACE_SYSCALL;
}

/// A thread is about to make one of `calls`.
static int meet(pid_t thread) {
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, thread, 0, &r) != 0) return PTRACE_CONT;
    const struct call *call = calls;
    while (call < calls + call_count && call->number != (long)r.orig_rax) call++;
    if (call == calls + call_count || opens_for_reading(&r)) return PTRACE_CONT;
    char path[PATH_MAX];
    path_of(thread, call, &r, path);
    // Pipes and the like have no path, and a relative path may be anywhere.
    if (call->names == 'f' ? path[0] != '/' : 0) return PTRACE_CONT;
    if (path[0] == '/' && strncmp(path, root, strlen(root)) != 0) return PTRACE_CONT;
    counted++;
    if (list) fprintf(list, "%ld %s %s\n", counted, call->name, path);
    bool is_chosen = counted == chosen || (is_sticky && counted > chosen);
    if (is_chosen && strcmp(mode, "none") != 0) return strike(thread, &r);
    if (skips_syncs && is_sync(r.orig_rax)) answer(thread, &r, 0);
    return PTRACE_CONT;
}

static void follow(void) {
    int status;
    pid_t thread;
    while ((thread = waitpid(-1, &status, __WALL)) > 0) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == command) ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int go_on = PTRACE_CONT, event = status >> 16, number = WSTOPSIG(status);
        if (event == PTRACE_EVENT_SECCOMP) go_on = meet(thread);
        else if (event == 0 && number == (SIGTRAP | 0x80)) kill(command, SIGKILL); // torn: the half is written
        // A new thread begins with a SIGSTOP of ptrace's own.
        bool is_own = event != 0 || number == SIGSTOP || number == (SIGTRAP | 0x80);
        ptrace(go_on, thread, 0, is_own ? 0 : number);
    }
}

static int start(char **words) {
    struct sock_filter filter[call_count + 3];
    int size = 0;
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < call_count; i++)
        filter[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i].number, call_count - i, 0);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {size, filter};
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return fail("cannot watch system calls");
    execvp(words[0], words);
    return fail(words[0]);
}

int main(int count, char **words) {
    int option;
    while ((option = getopt(count, words, "+r:l:s")) != -1) {
        if (option == 'r') root = optarg;
        else if (option == 'l') list = fopen(optarg, "we");
        else if (option == 's') skips_syncs = true;
        else return 125;
    }
    if (count - optind < 3) return fputs("usage: Faults [-r FOLDER] [-l LOG] [-s] MODE N[+] COMMAND...\n", stderr), 125;
    mode = words[optind];
    char *end;
    chosen = strtol(words[optind + 1], &end, 10);
    is_sticky = *end == '+';
    command = fork();
    if (command < 0) return fail("fork");
    if (command == 0) _exit(start(words + optind + 2));
    int status;
    if (waitpid(command, &status, __WALL) != command || !WIFSTOPPED(status)) return fail("cannot trace");
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE
        | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
    if (ptrace(PTRACE_SETOPTIONS, command, 0, options) != 0) return fail("cannot trace");
    ptrace(PTRACE_CONT, command, 0, 0);
    follow();
    if (list) fprintf(list, "%ld\n", counted), fclose(list);
    return ended;
}
#else
int main(void) {
    fputs("Faults: only for Linux on x86-64\n", stderr);
    return 125;
}
#endif
