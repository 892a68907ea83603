import { escapeMarkup } from '@tenterhook/runtime/text';
import type { CaseResult, TestFileResult } from '../../hook-tests/run-test-file.js';
import { inWords } from './difference-text.js';
import { sumsOf } from './test-report.js';

/** Formats results as JUnit XML: a suite for each file, with the times in seconds. Tools that show test results read this format. */
export function formatJunit(results: readonly TestFileResult[]): string {
  const { passed, failed, broken } = sumsOf(results);
  const suites = results.flatMap(formatSuite);
  const counts = `tests="${passed + failed + broken}" failures="${failed}" errors="${broken}"`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites name="tenterhook test" ${counts}>`, ...suites, '</testsuites>', ''].join(
    '\n',
  );
}

function formatSuite({ file, problems, problemPlaces, cases }: TestFileResult): string[] {
  const failures = cases.filter(({ differences }) => differences.length > 0).length;
  const counts = `tests="${cases.length + (problems.length > 0 ? 1 : 0)}" failures="${failures}" errors="${problems.length > 0 ? 1 : 0}"`;
  const line = problemPlaces[0]?.line;
  const place = `classname="${escapeMarkup(file)}" file="${escapeMarkup(file)}"${line === undefined ? '' : ` line="${line}"`}`;
  const broken =
    problems.length === 0 ? [] : [`    <testcase name="(file)" ${place}><error>${escapeMarkup(problems.join('\n'))}</error></testcase>`];
  return [
    `  <testsuite name="${escapeMarkup(file)}" ${counts} time="${seconds(cases)}">`,
    ...broken,
    ...cases.map((one) => formatCase(file, one)),
    '  </testsuite>',
  ];
}

function formatCase(file: string, { name, line, durationMs, differences, warnings, notes }: CaseResult): string {
  const begin = `    <testcase name="${escapeMarkup(name)}" classname="${escapeMarkup(file)}" file="${escapeMarkup(file)}" line="${line}" time="${(durationMs / 1000).toFixed(3)}"`;
  const remarks = [...warnings.map(({ hook, message }) => `${hook}: ${message}`), ...notes.map((note) => `note: ${note}`)];
  const log = remarks.length === 0 ? '' : `<system-err>${escapeMarkup(remarks.join('\n'))}</system-err>`;
  if (differences.length === 0) return log === '' ? `${begin}/>` : `${begin}>${log}</testcase>`;
  const lines = differences.map((difference) => {
    const { field, hint } = difference;
    const { expected, received } = inWords(difference);
    const text = `${field}: expected ${expected}, received ${received}`;
    return hint === undefined ? text : `${text} (${hint})`;
  });
  const message = escapeMarkup(lines[0] as string);
  return `${begin}><failure message="${message}">${escapeMarkup(lines.join('\n'))}</failure>${log}</testcase>`;
}

function seconds(cases: readonly CaseResult[]): string {
  return (cases.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}
