import fc from 'fast-check';
import { families, formatNamed } from '../support/formats.js';

/** The settings of one format in one source. */
export interface Written {
  readonly dialect: string;
  readonly source: string;
  readonly value: unknown;
}

/**
 * What a hook answers, and after how many milliseconds: the command of a hook is this text, and nothing is started. `rewrite` replaces the harmless
 * command of the call by one that other conditions are for.
 */
const answer = fc.constantFrom('none', 'none', 'none', 'rewrite', 'rewrite', 'allow', 'ask', 'ask', 'deny', 'deny', 'stop', 'fail');
const command = fc.tuple(answer, fc.constantFrom('0', '50', '5000')).map(([said, after]) => `${said} ${after}`);

/** The command of every call, and what hooks rewrite it to. */
export const original = 'ls';
export const rewritten = 'rm -rf x';
const condition = fc.constantFrom('Bash(ls *)', 'Bash(rm *)', 'Bash(rm -rf *)', 'Bash(git *)', 'Bash');

const hook = fc.record(
  { command, name: fc.constantFrom('a', 'b'), timeout: fc.constantFrom(10, 100, 10_000), onError: fc.constantFrom('continue', 'block') },
  { requiredKeys: ['command'] },
);
const group = fc.record(
  {
    hooks: fc.array(hook, { minLength: 1, maxLength: 2 }),
    matcher: fc.constantFrom('', '*', 'run_shell_command', 'write_file'),
    sequential: fc.boolean(),
  },
  { requiredKeys: ['hooks'] },
);
const env = fc.dictionary(fc.constantFrom('ANSWER', 'PATH'), fc.constantFrom('allow', 'none', '/evil'), { maxKeys: 1 });
const disabled = fc.array(fc.oneof(fc.constantFrom('a', 'b'), command), { maxLength: 3 });

/** A hook of Claude Code: a command, at times in the background, or a request to the server of the test. */
const claudeHook = (server: () => string) =>
  fc
    .record({
      plain: hook,
      condition: fc.option(condition, { nil: undefined }),
      isRequest: fc.nat({ max: 7 }).map((number) => number === 0),
      async: fc.nat({ max: 5 }).map((number) => number === 0),
    })
    .map(({ plain: { command: text, onError, timeout = 1000 }, condition: rule, isRequest, async }) => {
      const fields = { if: rule, timeout: timeout / 1000, onFailure: onError };
      // A request is answered at once, but not in 10 ms.
      if (isRequest) return { ...fields, timeout: 10, type: 'http', url: `${server()}/${text.split(' ')[0]}` };
      return { ...fields, type: 'command', command: text, ...(async ? { async } : {}) };
    });

/** Generates settings of any format: hooks, and at times its switches. */
function settingsOf(name: string): fc.Arbitrary<unknown> {
  const { settings, switches } = formatNamed(name);
  const hooks = fc.array(fc.record({ command, onError: fc.constantFrom('continue', 'block') }), { maxLength: 2 });
  return fc.tuple(hooks, fc.boolean()).map(([list, isOff]) => ({ ...settings(list), ...(isOff ? switches : {}) }));
}

/** Generates settings of formats that have more switches, lists and types of hooks. */
const richSettings = (server: () => string): Readonly<Record<string, fc.Arbitrary<unknown>>> => ({
  llxprt: fc
    .record({ groups: fc.array(group, { maxLength: 2 }), enableHooks: fc.option(fc.boolean(), { nil: undefined }), disabled })
    .map(({ groups, enableHooks, disabled: names }) => ({
      tools: { enableHooks },
      hooksConfig: { disabled: names },
      hooks: { BeforeTool: groups },
    })),
  'gemini-cli': fc
    .record({ groups: fc.array(group, { maxLength: 2 }), enabled: fc.option(fc.boolean(), { nil: undefined }), disabled, env })
    .map(({ groups, enabled, disabled: names, env: variables }) => ({
      hooksConfig: { enabled, disabled: names },
      hooks: {
        BeforeTool: groups.map((one) => ({ ...one, hooks: one.hooks.map((each) => ({ ...each, type: 'command', env: variables })) })),
      },
    })),
  'claude-code': fc
    .record({
      hooks: fc.array(
        fc.record({
          matcher: fc.constantFrom('', '*', 'Bash', 'Write'),
          hooks: fc.array(claudeHook(server), { minLength: 1, maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
      permissions: fc.array(answer, { maxLength: 2 }),
      disableAllHooks: fc.nat({ max: 3 }).map((number) => number === 0),
      allowManagedHooksOnly: fc.nat({ max: 3 }).map((number) => number === 0),
      allowedHttpHookUrls: fc.option(fc.constantFrom([], ['http://127.0.0.1:*/*']), { nil: undefined, freq: 4 }),
      env,
    })
    .map(({ hooks, permissions, ...general }) => ({
      ...general,
      hooks: {
        PreToolUse: hooks,
        PermissionRequest: permissions.map((said) => ({ hooks: [{ type: 'command', command: `${said} 0` }] })),
      },
    })),
});

/** What the program's own handlers answer. Its level is the administrator's. */
export type HandlerAnswer = 'block' | 'rewrite' | 'none';

/** Settings of some levels, and several choices of settings of the levels below them. */
export interface AnyLevels {
  readonly above: readonly Written[];
  readonly handlers: readonly HandlerAnswer[];
  readonly belows: readonly (readonly Written[])[];
}

/** How many choices of lower settings are tried with the same higher ones: those alone are fired once. */
export const choices = 10;
const poolSize = 8;
const picks = fc.array(fc.subarray([...Array(poolSize).keys()], { minLength: 1, maxLength: 3 }), {
  minLength: choices,
  maxLength: choices,
});

/** The levels are cut below the user, or below the administrator. `server` is the address of the server of the test. */
export function anyLevels(server: () => string): fc.Arbitrary<AnyLevels> {
  const rich = richSettings(server);
  const byFormat = new Map(families.map((name) => [name, rich[name] ?? settingsOf(name)]));
  const written = (sources: readonly string[]): fc.Arbitrary<Written> =>
    fc
      .constantFrom(...byFormat.entries())
      .chain(([dialect, value]) => fc.record({ dialect: fc.constant(dialect), source: fc.constantFrom(...sources), value }));
  const cut = (aboveSources: readonly string[], belowSources: readonly string[]) =>
    fc
      .record({
        above: fc.array(written(aboveSources), { minLength: 1, maxLength: 3 }),
        handlers: fc.array(fc.constantFrom<HandlerAnswer>('block', 'rewrite', 'none', 'none'), { maxLength: 1 }),
        pool: fc.array(written(belowSources), { minLength: poolSize, maxLength: poolSize }),
        picks,
      })
      .map(({ pool, picks: picked, ...rest }) => ({ ...rest, belows: picked.map((indexes) => indexes.map((at) => pool[at] as Written)) }));
  return fc.oneof(
    { weight: 3, arbitrary: cut(['user'], ['project', 'local', 'extension:x']) },
    { weight: 1, arbitrary: cut(['user', 'managed'], ['project', 'local', 'extension:x']) },
    { weight: 1, arbitrary: cut(['managed'], ['project', 'local', 'user', 'extension:x']) },
  );
}
