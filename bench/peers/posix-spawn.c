/*
 * The floor: runs a command COUNT times with posix_spawn, at most LIMIT at once, and checks each output.
 *
 * Usage: posix-spawn SHELL COMMAND COUNT LIMIT INPUT-FILE EXPECTED-OUTPUT
 * For each line on stdin it does all runs, then prints the nanoseconds that they took, or a line that begins with "error".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST 64
#define OUTPUT_BYTES 4096

extern char **environ;

struct run {
  pid_t pid;
  int in, out;
  size_t written, length;
  char output[OUTPUT_BYTES];
};

static char *input;
static size_t input_length;

static void fail(const char *what) {
  printf("error: %s: %s\n", what, strerror(errno));
  fflush(stdout);
  exit(1);
}

static void start(struct run *run, char *shell, char *command) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) fail("pipe2");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawnattr_t attributes;
  sigset_t signals;
  posix_spawnattr_init(&attributes);
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {shell, "-c", command, NULL};
  int failed = posix_spawnp(&run->pid, shell, &actions, &attributes, arguments, environ);
  if (failed) {
    errno = failed;
    fail(shell);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[0]);
  close(out[1]);
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  run->in = in[1];
  run->out = out[0];
  run->written = run->length = 0;
}

/* Writes what the pipe takes. A command that does not read its input is no error. */
static void feed(struct run *run) {
  ssize_t bytes = write(run->in, input + run->written, input_length - run->written);
  if (bytes > 0) run->written += (size_t)bytes;
  if (run->written < input_length && (bytes >= 0 || errno == EAGAIN)) return;
  close(run->in);
  run->in = -1;
}

/* Reads output. Returns 1 at its end, after it has checked the output and the exit code. */
static int drain(struct run *run, const char *expected) {
  ssize_t bytes = read(run->out, run->output + run->length, OUTPUT_BYTES - 1 - run->length);
  if (bytes < 0) fail("read");
  run->length += (size_t)bytes;
  if (bytes > 0) return 0;
  run->output[run->length] = 0;
  close(run->out);
  if (run->in >= 0) close(run->in);
  int status;
  if (waitpid(run->pid, &status, 0) < 0) fail("waitpid");
  errno = 0;
  if (status != 0) fail("the command failed");
  if (strcmp(run->output, expected) != 0) fail("the command printed something else");
  return 1;
}

static void run_all(char *shell, char *command, int count, int limit, const char *expected) {
  static struct run runs[MOST];
  int started = 0, ended = 0, active = 0;
  while (ended < count) {
    while (active < limit && started < count) {
      start(&runs[active++], shell, command);
      started++;
    }
    struct pollfd waits[2 * MOST];
    for (int index = 0; index < active; index++) {
      waits[2 * index] = (struct pollfd){.fd = runs[index].out, .events = POLLIN};
      waits[2 * index + 1] = (struct pollfd){.fd = runs[index].in, .events = POLLOUT};
    }
    if (poll(waits, 2 * (nfds_t)active, -1) < 0) fail("poll");
    /* From the last to the first, because the last run takes the place of one that has ended. */
    for (int index = active - 1; index >= 0; index--) {
      if (runs[index].in >= 0 && waits[2 * index + 1].revents) feed(&runs[index]);
      if (!waits[2 * index].revents || !drain(&runs[index], expected)) continue;
      runs[index] = runs[--active];
      ended++;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 7) return 2;
  int count = atoi(argv[3]), limit = atoi(argv[4]);
  if (count < 1 || limit < 1 || limit > MOST) return 2;
  signal(SIGPIPE, SIG_IGN);
  int file = open(argv[5], O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (file < 0 || fstat(file, &about)) fail(argv[5]);
  input_length = (size_t)about.st_size;
  input = malloc(input_length + 1);
  for (size_t done = 0; done < input_length;) {
    ssize_t bytes = read(file, input + done, input_length - done);
    if (bytes <= 0) fail(argv[5]);
    done += (size_t)bytes;
  }
  char line[64];
  while (fgets(line, sizeof line, stdin)) {
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    run_all(argv[1], argv[2], count, limit, argv[6]);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%lld\n", (long long)(to.tv_sec - from.tv_sec) * 1000000000LL + (to.tv_nsec - from.tv_nsec));
    fflush(stdout);
  }
  return 0;
}
