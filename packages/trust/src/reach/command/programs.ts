import type { Language } from './findings.js';

const words = (text: string) => new Set(text.split(' '));

/**
 * Programs and builtins that run no code of their working directory, and no file that their words do not name. A program that is not listed
 * may read plugins or a configuration from the project, so a command that runs it is open.
 */
export const plainPrograms = words(
  '[ [[ ]] : afplay awk base64 basename break cat chmod column comm continue cp curl cut date declare df diff dirname du echo egrep exit ' +
    'export expr false fgrep file fold gawk getconf getopts grep gsed gzip gunzip head hexdump hostname iconv id jobs join jq kill let ln local ' +
    'logger ls mawk md5 md5sum mkdir mkfifo mktemp mv nl notify-send nproc numfmt od osascript paplay paste pgrep printenv printf ps pwd ' +
    'read readlink readonly realpath return rev rg rm rmdir say sed seq set sha1sum sha256sum sha512sum shasum shift shopt shuf sleep sort stat ' +
    'stty sync tac tail tee terminal-notifier test touch tput tr true tty type typeset ulimit umask uname uniq unset uptime wait wc which ' +
    'whoami xxd yes zcat',
);

/** Programs whose words name files that they write or remove. What is written by the hook must not change its pin. */
export const writers = words('mkdir mkfifo mktemp rm rmdir tee touch');

/** Programs whose words are files that they read. A file that does not exist yet counts. */
export const readers = words('base64 cat comm cut diff head join nl paste sort tac tail zcat');

/** A program that runs a script: the first word that is not an option. */
export interface Interpreter {
  readonly name: RegExp;
  readonly language: Language;
  /** Options that change nothing about what is run. Any other option makes the command open. */
  readonly plain: RegExp;
  /** Options that are followed by an argument which changes nothing either. */
  readonly withArgument?: RegExp;
  /** Options that are followed by code. Group 1 is code that is attached. */
  readonly inline?: RegExp;
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
  { name: /^(?:ruby|perl)[\d.]*$/, language: 'other', plain: /^-[wW]$/, inline: /^-\w*[eE](.*)$/s },
  {
    name: /^(?:php|lua|luajit|tclsh|rscript|pwsh|powershell|groovy|julia|elixir|escript|java|osascript|wscript|cscript)[\d.]*$/,
    language: 'other',
    plain: /^$/,
  },
];

/** Programs that run what a manifest or packages of the project say. */
export interface Runner {
  readonly name: RegExp;
  /** The files of which one decides what runs. */
  readonly names: readonly string[];
  readonly others: readonly string[];
  /** Whether the first word that is not an option is a command of node_modules/.bin. */
  readonly runsPackage?: RegExp;
  readonly runs: string;
}

const nodeFiles = [
  '.npmrc',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'yarn.lock',
];
const yarnFiles = ['.yarnrc', '.yarnrc.yml', '.pnp.cjs', 'bun.lock', 'bun.lockb', 'bunfig.toml'];

export const runners: readonly Runner[] = [
  {
    name: /^(?:npm|pnpm|yarn|bun|npx|pnpx|bunx|corepack|tsx|ts-node|nodemon)$/,
    names: ['package.json'],
    others: [...nodeFiles, ...yarnFiles, 'tsconfig.json'],
    runsPackage: /^(?:npx|pnpx|bunx|pnpm|yarn|npm|bun)$/,
    runs: 'scripts of package.json and packages of node_modules',
  },
  { name: /^g?make$/, names: ['GNUmakefile', 'makefile', 'Makefile'], others: [], runs: 'recipes of its Makefile' },
  { name: /^just$/, names: ['justfile', '.justfile', 'Justfile'], others: ['.env'], runs: 'recipes of its justfile' },
  {
    name: /^(?:task|go-task)$/,
    names: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml', 'Taskfile.dist.yaml'],
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
    runs: 'tasks of deno.json and modules that are not listed',
  },
  {
    name: /^(?:uv|uvx|poetry|pdm|hatch|rye|pipenv|pipx|pytest|tox|nox)$/,
    names: ['pyproject.toml'],
    others: [
      'uv.lock',
      'uv.toml',
      'poetry.lock',
      'poetry.toml',
      'pdm.lock',
      'Pipfile',
      'Pipfile.lock',
      'conftest.py',
      'tox.ini',
      'noxfile.py',
      'setup.py',
    ],
    runs: 'code of the project and of its packages',
  },
  {
    name: /^(?:bundle|rake)$/,
    names: ['Gemfile', 'Rakefile'],
    others: ['Gemfile.lock', '.bundle/config'],
    runs: 'code of the project and of its gems',
  },
  { name: /^composer$/, names: ['composer.json'], others: ['composer.lock'], runs: 'scripts of composer.json' },
  { name: /^(?:mise|rtx)$/, names: ['mise.toml', '.mise.toml'], others: ['.tool-versions'], runs: 'tasks of mise.toml' },
  { name: /^direnv$/, names: ['.envrc'], others: [], runs: 'its .envrc' },
];

/** Variables that decide which code a program loads, where it finds programs, or how a shell reads its text. */
export const riskyVariable =
  /^(?:PATH|CDPATH|IFS|PS4|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|LD_.*|DYLD_.*|PYTHON.*|NODE_.*|NPM_CONFIG_.*|PERL5.*|PERLLIB|RUBY.*|GEM_.*|GIT_.*|LUA_.*|JAVA_TOOL_OPTIONS|CLASSPATH|EDITOR|VISUAL|PAGER|.*_PAGER|TAR_OPTIONS|RIPGREP_CONFIG_PATH|CURL_HOME|HOME|PWD)$/i;
