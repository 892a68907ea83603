/**
 * The modules of Python's library, of CPython 3.8 to 3.14. The names are those of `sys.stdlib_module_names`; for 3.8 and 3.9, which lack
 * it, those in the folder of the library. `test` is left out, because no other module imports it. Private modules are not listed: see
 * `isImportedByLibrary`.
 */
const publicModules: ReadonlySet<string> = new Set(
  (
    '__future__ __main__ abc aifc annotationlib antigravity argparse array ast asynchat asyncio ' +
    'asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi ' +
    'cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent ' +
    'configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime ' +
    'dbm decimal difflib dis distutils doctest dummy_threading email encodings ensurepip enum errno ' +
    'faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath ' +
    'getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib ' +
    'imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale ' +
    'logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt ' +
    'multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ' +
    'ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix ' +
    'posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri ' +
    'random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve ' +
    'shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile ' +
    'sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol ' +
    'symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this ' +
    'threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle ' +
    'turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref ' +
    'webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile ' +
    'zipimport zlib zoneinfo'
  ).split(' '),
);

/** Modules that are not part of Python, which its library tries to import: `copy` tries `org.python.core`, and `platform` tries `java`. */
const triedModules: ReadonlySet<string> = new Set(['java', 'org', 'vms_lib']);

/** Tests for a private name: `_json`, `_strptime`. Names such as `__init__` and `__pycache__` have other meanings in a folder. */
const isPrivate = (name: string) => /^_(?!_)/.test(name);

/** Tests whether a module may be part of Python's library. */
export function isPythonModule(name: string): boolean {
  return publicModules.has(name) || isPrivate(name);
}

/**
 * Tests whether Python's library may import a module of this name. If the import path has a file with such a name, Python runs the file
 * instead.
 *
 * Every private name counts. A list was rejected: each version of Python has different private modules, and some names contain the
 * platform (`_sysconfigdata__linux_x86_64-linux-gnu`). Files of a project rarely have such names.
 */
export function isImportedByLibrary(name: string): boolean {
  return isPythonModule(name) || triedModules.has(name);
}
