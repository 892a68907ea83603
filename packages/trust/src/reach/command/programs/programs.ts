import type { OpenReason } from '../../open-reasons.js';
import type { Language } from '../findings.js';

const words = (text: string) => new Set(text.split(' '));

/**
 * Programs and builtins that run only the code that their words name. Any program that is not listed may read plugins or a configuration
 * from the project. So a command that runs it may run code that is not in the pin.
 */
export const plainPrograms = words(
  '[ [[ ]] : afplay awk base64 basename break cat chmod column comm continue cp curl cut date declare df diff dirname du echo egrep exit ' +
    'export expr false fgrep file fold gawk getconf getopts grep gsed gzip gunzip head hexdump hostname iconv id jobs join jq kill let ln local ' +
    'logger ls mawk md5 md5sum mkdir mkfifo mktemp mv nl notify-send nproc numfmt od osascript paplay paste pgrep printenv printf ps pwd ' +
    'read readlink readonly realpath return rev rg rm rmdir say sed seq set sha1sum sha256sum sha512sum shasum shift shopt shuf sleep sort stat ' +
    'stty sync tac tail tee terminal-notifier test touch tput tr true tty type typeset ulimit umask uname uniq unset uptime wait wc which ' +
    'whoami xxd yes zcat',
);

/** Programs whose words name files that they write or remove. Files that the hook writes must not change its pin. */
export const writers = words('mkdir mkfifo mktemp rm rmdir tee touch');

/** Programs whose words name files that they read. Files that do not exist yet are recorded too. */
export const readers = words('base64 cat comm cut diff head join nl paste sort tac tail zcat');

/** An interpreter. The first word after its options is the script that it runs. */
export interface Interpreter {
  readonly name: RegExp;
  readonly language: Language;
  /** Options that do not change which code runs. With any other option, the command may run code outside of the pin. */
  readonly plain: RegExp;
  /** Options with an argument that do not change which code runs. */
  readonly withArgument?: RegExp;
  /** Options that are followed by code. If the code is in the same word as the option, group 1 matches the code. */
  readonly inline?: RegExp;
  /** Matches code that never starts another program, whatever values its variables have. */
  readonly harmless?: RegExp;
}

export const interpreters: readonly Interpreter[] = [
  {
    name: /^(?:python|pypy)(?:w|[\d.]*)$/,
    language: 'python',
    plain: /^-[bBdEIOPqsSuvx]+$/,
    withArgument: /^-[bBdEiIOPqsSuvx]*[WX]$/,
    inline: /^-[bBdEiIOPqsSuvx]*c(.*)$/s,
  },
  {
    name: /^node(?:js)?$/,
    language: 'javascript',
    plain:
      /^--(?:no-warnings|no-deprecation|trace-warnings|trace-uncaught|enable-source-maps|experimental-strip-types|experimental-vm-modules|experimental-default-type=\w+|input-type=\w+|max-old-space-size=\d+)$/,
    inline: /^(?:-e|-p|-pe|--eval|--print)(?:=(.*))?$/s,
  },
  { name: /^(?:ruby|perl)[\d.]*$/, language: 'other', plain: /^-(?:[wWnplas]|i(?:\.\w+)?|0\d*)+$/, inline: /^-\w*[eE](.*)$/s },
  {
    name: /^osascript$/,
    language: 'other',
    plain: /^-i$/,
    withArgument: /^-[ls]$/,
    inline: /^-e(.*)$/s,
    harmless: /^\s*(?:display (?:notification|dialog|alert)|say|beep)\b(?![\s\S]*\b(?:do shell|run|load) script\b)/i,
  },
  {
    name: /^(?:php|lua|luajit|tclsh|rscript|pwsh|powershell|groovy|julia|elixir|escript|java|wscript|cscript)[\d.]*$/,
    language: 'other',
    plain: /^-(?:jar|File|NoProfile|NonInteractive|NoLogo)$/i,
  },
];

/** Programs that run commands of a manifest or of packages of the project, such as `npm`. */
export interface Runner {
  readonly name: RegExp;
  /** The manifests. One of them decides what runs. */
  readonly names: readonly string[];
  readonly others: readonly string[];
  /** Programs that may run a command of node_modules/.bin. The first word that is not an option names the command. */
  readonly runsPackage?: RegExp;
  /** Words that start a program. All words after them are arguments of this program. */
  readonly startsProgram?: RegExp;
  readonly runs: string;
  /** Set to `code` if the runner also runs files that it finds by itself when there is no manifest. @default 'loaded' */
  readonly kind?: OpenReason['kind'];
}

const nodeFiles = [
  '.npmrc',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'package.yaml',
  'package.json5',
  '.pnpmfile.cjs',
  'yarn.lock',
];
const yarnFiles = ['.yarnrc', '.yarnrc.yml', '.pnp.cjs', 'bun.lock', 'bun.lockb', 'bunfig.toml'];

const nodeRunner: Runner = {
  name: /^(?:npm|pnpm|yarn|npx|pnpx|corepack|tsx|ts-node)$/,
  names: ['package.json'],
  others: [...nodeFiles, ...yarnFiles, 'tsconfig.json'],
  runsPackage: /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun)$/,
  startsProgram: /^(?:npx|pnpx|bunx|pnpm|yarn|bun|tsx|ts-node)$/,
  runs: 'scripts of package.json and packages of node_modules',
};

export const runners: readonly Runner[] = [
  nodeRunner,
  { ...nodeRunner, name: /^bunx?$/, others: [...nodeRunner.others, '.env', '.env.local', '.env.development'] },
  { name: /^nodemon$/, names: ['package.json'], others: ['nodemon.json'], runs: 'files that it finds itself', kind: 'code' },
  { name: /^g?make$/, names: ['GNUmakefile', 'makefile', 'Makefile'], others: [], runs: 'recipes of its Makefile' },
  { name: /^just$/, names: ['justfile', '.justfile', 'Justfile', 'JUSTFILE'], others: ['.env'], runs: 'recipes of its justfile' },
  {
    name: /^(?:task|go-task)$/,
    names: ['Taskfile', 'taskfile'].flatMap((name) => ['.yml', '.yaml', '.dist.yml', '.dist.yaml'].map((ending) => name + ending)),
    others: [],
    runs: 'tasks of its Taskfile',
  },
  {
    name: /^cargo(?:-.+)?$/,
    names: ['Cargo.toml'],
    others: ['Cargo.lock', 'build.rs', '.cargo/config.toml', '.cargo/config', 'rust-toolchain', 'rust-toolchain.toml'],
    runs: 'code of the crate and of its dependencies',
  },
  { name: /^go$/, names: ['go.mod'], others: ['go.sum', 'go.work'], runs: 'code of the module and of its dependencies' },
  {
    name: /^deno$/,
    names: ['deno.json', 'deno.jsonc'],
    others: ['deno.lock', 'package.json', 'import_map.json'],
    startsProgram: /^deno$/,
    runs: 'tasks of deno.json and modules that are not listed',
  },
  {
    name: /^(?:uv|uvx|poetry|pdm|hatch|rye|pipenv|pipx)$/,
    names: ['pyproject.toml'],
    others: [
      'uv.lock',
      'uv.toml',
      'poetry.lock',
      'poetry.toml',
      'pdm.lock',
      'Pipfile',
      'Pipfile.lock',
      'setup.py',
      '.python-version',
      '.python-versions',
      '.venv/pyvenv.cfg',
      '.venv/bin/python',
    ],
    startsProgram: /^(?:uv|uvx|poetry|pdm|hatch|rye|pipenv|pipx)$/,
    runs: 'code of the project and of its packages',
  },
  {
    name: /^(?:pytest|tox|nox)$/,
    names: ['pyproject.toml'],
    others: ['conftest.py', 'tox.ini', 'noxfile.py', 'setup.py', 'setup.cfg', 'pytest.ini'],
    runs: 'code of the project and of its packages',
    kind: 'code',
  },
  {
    name: /^(?:bundle|rake)$/,
    names: ['Gemfile', 'Rakefile'],
    others: ['Gemfile.lock', '.bundle/config', 'gems.rb', 'rakefile', 'rakefile.rb', 'Rakefile.rb'],
    startsProgram: /^bundle$/,
    runs: 'code of the project and of its gems',
  },
  { name: /^composer$/, names: ['composer.json'], others: ['composer.lock'], runs: 'scripts of composer.json' },
  {
    name: /^(?:mise|rtx)$/,
    names: ['mise.toml', '.mise.toml'],
    others: [
      '.tool-versions',
      'mise.local.toml',
      '.mise.local.toml',
      'mise/config.toml',
      '.mise/config.toml',
      '.config/mise.toml',
      '.config/mise/config.toml',
      '.mise/config.local.toml',
    ],
    runs: 'tasks of mise.toml',
  },
  { name: /^direnv$/, names: ['.envrc'], others: [], runs: 'its .envrc' },
];

/** Variables that decide which code a program loads, where programs are searched, or how a shell reads a command. */
export const riskyVariable =
  /^(?:PATH|CDPATH|IFS|PS4|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|PYTHON.*|NODE_.*|NPM_CONFIG_.*|PERL5.*|PERLLIB|RUBY.*|GEM_.*|GIT_.*|LUA_.*|JAVA_TOOL_OPTIONS|CLASSPATH|EDITOR|VISUAL|PAGER|.*_PAGER|TAR_OPTIONS|RIPGREP_CONFIG_PATH|CURL_HOME|HOME|PWD)$/i;

/** Variables that match `riskyVariable` although no value of them makes a program run other code. */
export const harmlessVariable =
  /^(?:NODE_(?:ENV|NO_WARNINGS|DISABLE_COLORS|TLS_REJECT_UNAUTHORIZED|EXTRA_CA_CERTS)|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|NOUSERSITE|SAFEPATH)|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS|AUTHOR_.*|COMMITTER_.*))$/;
