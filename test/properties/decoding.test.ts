import { llxprt } from '@tenterhook/dialects';
import { eventEntry, type HookDefinition, type HookEvent, type HookEventName, hookEventNames, verdictOf } from '@tenterhook/protocol';
import fc from 'fast-check';
import { outcomeOfExit } from '../../packages/engine/src/outcome/exit-outcome.js';
import { kindOf, mayHaveSaid, ownOf, saidBy } from './decision-oracle.js';
import { nearJson, wholeAnswers } from './near-json.js';
import { notPlainJson } from './plain-json.js';

const numRuns = 3_000;
const patienceMs = 300_000;

/** Decodes bytes as the spawner does: a byte order mark stays in the text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const dialect = llxprt();

interface Printed {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exitCode: number;
  readonly isCut: boolean;
}

function outcomeOf({ stdout, stderr, exitCode, isCut }: Printed, eventName: HookEventName) {
  const event: HookEvent = { eventName, input: {} as HookEvent['input'], projectDir: '/' };
  const hook: HookDefinition = {
    id: 'guard',
    dialect: 'llxprt',
    source: 'user',
    eventName,
    dialectEvent: eventName,
    timeoutMs: 1000,
    onError: 'continue',
    action: { kind: 'command', command: './guard.sh' },
    dialectData: {},
  };
  const text = decoder.decode(stdout);
  const captured = {
    stdoutTruncated: isCut,
    stderrTruncated: false,
    invalidUtf8: text.includes('\uFFFD'),
  };
  const sizes = { stdoutBytes: stdout.length, stderrBytes: stderr.length };
  return outcomeOfExit(
    { kind: 'exited', exitCode, durationMs: 1, leftProcesses: 0, stdout: text, stderr: decoder.decode(stderr), ...captured, ...sizes },
    dialect,
    event,
    hook,
  );
}

const rewriteFields = (eventName: HookEventName) => [...eventEntry(eventName).rewrites.map(({ field }) => field), 'llm_response'];
/** Fields that only adapters may set. No output of a hook in this dialect may contain them (design §5). */
const reserved = ['updatedInput', 'updatedToolOutput', 'replacedPrompt', 'retryAfterMs', 'skipRemaining', 'userMessage'];

const anyEvent = fc.constantFrom(...hookEventNames);
const exitCode = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.constant(2) },
  fc.integer({ min: 0, max: 255 }),
);
const anyBytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), nearJson, nearJson);
const isCut = fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

test(
  'no bytes make decoding throw, and every outcome is plain JSON that names why it failed',
  () => {
    fc.assert(
      fc.property(fc.record({ stdout: anyBytes, stderr: anyBytes, exitCode, isCut }), anyEvent, (printed, eventName) => {
        const outcome = outcomeOf(printed, eventName);
        expect(notPlainJson(outcome)).toBeUndefined();
        expect(outcome.warnings.length).toBeLessThan(40);
        const hasFailed = (printed.exitCode !== 0 && printed.exitCode !== 2) || (printed.exitCode === 0 && printed.isCut);
        expect(outcome.status === 'failed').toBe(hasFailed);
        if (hasFailed) expect(outcome.warnings[0]?.message).toMatch(/guard\.sh/);
        expect(outcome.output !== undefined && hasFailed).toBe(false);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'a decision, a stop and a rewrite come from an object that has them at the start of a line, and from nothing else',
  () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, isCut, anyEvent, (stdout, stderr, cut, eventName) => {
        const { output } = outcomeOf({ stdout, stderr, exitCode: 0, isCut: cut }, eventName);
        if (output === undefined) return;
        const objects = mayHaveSaid(decoder.decode(stdout));
        if (objects === undefined) return;
        const kind = verdictOf(output.decision);
        if (kind !== 'none') {
          const saysSo = objects.some(
            (object) => kindOf(object, false) === kind || (eventName === 'BeforeTool' && kindOf(object, true) === kind),
          );
          expect(saysSo).toBe(true);
        }
        if (output.continue === false) expect(objects.some((object) => ownOf(object, 'continue') === false)).toBe(true);
        for (const field of rewriteFields(eventName)) {
          if (ownOf(output.hookSpecificOutput, field) === undefined) continue;
          expect(objects.some((object) => ownOf(ownOf(object, 'hookSpecificOutput'), field) !== undefined)).toBe(true);
        }
        expect(reserved.filter((field) => ownOf(output.hookSpecificOutput, field) !== undefined)).toEqual([]);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'exit code 0: what is said is what reading by trial finds, no more and no less',
  () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, wholeAnswers), anyEvent, (stdout, eventName) => {
        const said = saidBy(decoder.decode(stdout), eventName === 'BeforeTool');
        if (said === undefined) return;
        const { output } = outcomeOf({ stdout, stderr: new Uint8Array(), exitCode: 0, isCut: false }, eventName);
        expect({ kind: verdictOf(output?.decision), stops: output?.continue === false }).toEqual(said);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'exit code 2 blocks with a reason and rewrites nothing, whatever was printed, also when it was cut off',
  () => {
    fc.assert(
      fc.property(
        fc.record({ stdout: anyBytes, stderr: anyBytes, exitCode: fc.constant(2), isCut: fc.boolean() }),
        anyEvent,
        (printed, eventName) => {
          const { status, output } = outcomeOf(printed, eventName);
          expect(status).toBe('blocked');
          expect(output?.decision).toBe('deny');
          expect(output?.reason).toMatch(/./s);
          expect(rewriteFields(eventName).filter((field) => ownOf(output?.hookSpecificOutput, field) !== undefined)).toEqual([]);
        },
      ),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'any other exit code obeys nothing of what was printed',
  () => {
    fc.assert(
      fc.property(fc.oneof(nearJson, wholeAnswers), fc.integer({ min: 1, max: 255 }), anyEvent, (stdout, code, eventName) => {
        fc.pre(code !== 2);
        const outcome = outcomeOf({ stdout, stderr: new Uint8Array(), exitCode: code, isCut: false }, eventName);
        expect(outcome).toMatchObject({ status: 'failed', exitCode: code });
        expect(outcome).not.toHaveProperty('output');
      }),
      { numRuns },
    );
  },
  patienceMs,
);
