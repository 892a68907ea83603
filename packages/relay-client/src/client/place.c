#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest path of a socket that all systems accept. The daemon has the same limit. */
#define MAX_PATH_BYTES 100

static bool is_folder(const char *path, struct stat *found) {
  return path != NULL && path[0] == '/' && stat(path, found) == 0 && S_ISDIR(found->st_mode);
}

/* The daemon finds its folder by the same rules (packages/relay/src/daemon/place.ts). */
static bool name_folder(char *folder, size_t size) {
  const char *runtime = getenv("XDG_RUNTIME_DIR");
  const char *temporary = getenv("TMPDIR");
  struct stat found;
  /* A shell that was started as another user may still name the folder of the first user. It is not used. */
  int length = is_folder(runtime, &found) && found.st_uid == geteuid()
    ? snprintf(folder, size, "%s/tenterhook", runtime)
    : snprintf(folder, size, "%s/tenterhook-%lu", is_folder(temporary, &found) ? temporary : "/tmp", (unsigned long)geteuid());
  return length > 0 && (size_t)length < size;
}

const char *find_socket(char *path, size_t size) {
  char folder[4096];
  if (!name_folder(folder, sizeof folder)) return "the path of the folder of the daemon is too long";
  struct stat found;
  if (lstat(folder, &found) != 0) {
    if (errno != ENOENT) return "the folder of the daemon cannot be read";
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) return "the folder of the daemon cannot be made";
    if (lstat(folder, &found) != 0) return "the folder of the daemon cannot be read";
  }
  if (!S_ISDIR(found.st_mode)) return "the folder of the daemon is not a folder";
  if (found.st_uid != geteuid()) return "the folder of the daemon belongs to another user";
  if ((found.st_mode & 077) != 0) return "other users can use the folder of the daemon";
  int length = snprintf(path, size, "%s/relay-1.sock", folder);
  if (length <= 0 || (size_t)length >= size || length >= MAX_PATH_BYTES)
    return "the path of the socket of the daemon is too long";
  return NULL;
}
