#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MS 5
/* A client that was killed while it started the daemon leaves its lock. */
#define STALE_S 10
/* More files than an agent leaves open for its hooks. */
#define INHERITED_FILES 1024

int connect_to(const char *path) {
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, path);
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connection < 0) return -1;
  /* If a stopped daemon has as many clients as it can have, a connection would wait without end. */
  fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) | O_NONBLOCK);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
  close(connection);
  return -1;
}

static bool lock(const char *path) {
  if (mkdir(path, 0700) == 0) return true;
  struct stat found;
  if (errno != EEXIST || stat(path, &found) != 0 || time(NULL) - found.st_mtime < STALE_S) return false;
  rmdir(path);
  return mkdir(path, 0700) == 0;
}

static pid_t spawn_daemon(const struct configuration *configuration) {
  pid_t child = fork();
  if (child != 0) return child;
  setsid();
  int nothing = open("/dev/null", O_RDWR);
  int log = configuration->log == NULL ? -1 : open(configuration->log, O_WRONLY | O_APPEND | O_CREAT, 0600);
  dup2(nothing, STDIN_FILENO);
  dup2(log < 0 ? nothing : log, STDOUT_FILENO);
  dup2(log < 0 ? nothing : log, STDERR_FILENO);
  /* An agent may wait until its pipes are closed. */
  for (int file = STDERR_FILENO + 1; file < INHERITED_FILES; file += 1) close(file);
  signal(SIGPIPE, SIG_DFL);
  /* The daemon belongs to no hook, also if a hook has started the agent. */
  unsetenv("TENTERHOOK_JOB");
  if (chdir("/") != 0) _exit(127);
  execl(configuration->node, configuration->node, configuration->script, "relay", "serve", (char *)NULL);
  _exit(127);
}

/* Starts the daemon, or waits while another client starts it. Returns a connection to it, or -1. */
int start_daemon(const char *path, const struct configuration *configuration, long wait_ms) {
  if (configuration->node == NULL || configuration->script == NULL) return -1;
  char lock_path[4200];
  if (snprintf(lock_path, sizeof lock_path, "%s.lock", path) >= (int)sizeof lock_path) return -1;
  bool is_ours = lock(lock_path);
  pid_t child = is_ours ? spawn_daemon(configuration) : -1;
  int connection = -1;
  for (long until = now_ms() + wait_ms; now_ms() < until;) {
    struct stat found;
    /* Looked at before the attempt: without a lock the other client has ended its own. */
    bool is_starting = is_ours ? child > 0 && waitpid(child, NULL, WNOHANG) == 0 : stat(lock_path, &found) == 0;
    connection = connect_to(path);
    if (connection >= 0 || !is_starting) break;
    poll(NULL, 0, PAUSE_MS);
  }
  if (is_ours) rmdir(lock_path);
  return connection;
}
