import { findForeignDecision } from '../../../src/shared/output/foreign-decision.js';

test.each<[object, string | undefined]>([
  [{ desicion: 'deny' }, 'desicion'],
  [{ descision: 'block', reason: 'x' }, 'descision'],
  [{ Decison: 'ask' }, 'Decison'],
  [{ aproval: 'deny' }, 'aproval'],
  [{ permision_decision: 'deny' }, 'permision_decision'],
  [{ hookSpecificOutput: { permissionDescision: 'deny' } }, 'hookSpecificOutput.permissionDescision'],
  [{ hookSpecificOuput: { permissionDecision: 'deny' } }, 'hookSpecificOuput.permissionDecision'],
  [{ hook_specific_output: { decision: 'deny' } }, 'hook_specific_output.decision'],
  [{ hookSpecificOutput: { desicion: { behavior: 'deny' } } }, 'hookSpecificOutput.desicion.behavior'],
  [{ contineu: false }, 'contineu'],
  [{ continues: false }, 'continues'],
  [{ desicion: 'allow' }, undefined],
  [{ description: 'deny' }, undefined],
  [{ contineu: true }, undefined],
  [{ text: 'deny', arguments: { desicion: 'deny' } }, undefined],
  [Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, 'deny'])), undefined],
])('%j objects in %s', (object, path) => {
  expect(findForeignDecision(object as Record<string, unknown>)?.path).toBe(path);
});
