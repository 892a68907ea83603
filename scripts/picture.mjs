import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Anser from 'anser';

// Writes the picture of the README: what two real events print on a terminal, as SVG. Run it with `npm run picture` after the build.

const root = join(import.meta.dirname, '..');
const workspace = join(root, 'examples/agent-loop/workspace');
const commandLine = join(root, 'packages/tenterhook/bin/tenterhook.js');

/** The path of the picture. */
export const picture = join(root, 'docs/images/fire.svg');

/** The events in the picture, with their input as JSON. */
export const shownEvents = [
  ['BeforeModel', '{"llm_request":{"model":"m-1","messages":[{"role":"user","content":"My key is sk-live-4f9a8b7c6d5e."}]}}'],
  ['BeforeTool', '{"tool_name":"write_file","tool_input":{"path":"/etc/passwd","content":"x"}}'],
];

const cell = { width: 8.4, height: 20, margin: 20 };
const columns = 102;
const foreground = '#d4d9e0';
const colours = { 'ansi-red': '#ff7b72', 'ansi-green': '#7ee787', 'ansi-yellow': '#e3b341', 'ansi-cyan': '#79c0ff' };

const acceptAll = `
import { createHooks } from ${JSON.stringify(new URL('../packages/tenterhook/dist/index.js', import.meta.url).href)};
const hooks = await createHooks();
for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
await hooks.dispose();
`;

/** Returns what the command line prints for the events, with the escape codes of colours. */
export function printEvents() {
  // Runs in a copy of the workspace, because hooks write into it.
  const folder = mkdtempSync(join(tmpdir(), 'tenterhook-picture-'));
  try {
    const cwd = join(folder, 'workspace');
    cpSync(workspace, cwd, { recursive: true });
    const env = {
      ...process.env,
      XDG_STATE_HOME: join(folder, 'state'),
      HOME: folder,
      USERPROFILE: folder,
      FORCE_COLOR: '1',
      COLUMNS: String(columns),
    };
    // The picture shows a project whose hooks were accepted.
    const accepting = spawnSync(process.execPath, ['--input-type=module', '-e', acceptAll], { cwd, env, encoding: 'utf8' });
    if (accepting.status !== 0) throw new Error(`The hooks could not be accepted: ${accepting.stderr}`);
    return shownEvents
      .map(([event, input]) => {
        const run = spawnSync(process.execPath, [commandLine, 'fire', event, '--input', input], { cwd, env, encoding: 'utf8' });
        if (run.status !== 0) throw new Error(`tenterhook fire ${event} ended with ${run.status}: ${run.stderr}`);
        return `\u001b[2m$\u001b[22m tenterhook fire ${event}\n${run.stdout}`;
      })
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the lines of text in a picture, without colours, bars and indentation. */
export function linesOfPicture(svg) {
  const lines = new Map();
  for (const [, y, text] of svg.matchAll(/<text x="[^"]+" y="([^"]+)"[^>]*>([^<]*)<\/text>/g))
    lines.set(y, [...(lines.get(y) ?? []), unescapeXml(text)]);
  return [...lines.values()].map((texts) => texts.join(' '));
}

export function toSvg(printed) {
  const lines = printed.trimEnd().split('\n');
  const width = Math.ceil(columns * cell.width + 2 * cell.margin);
  const height = lines.length * cell.height + 2 * cell.margin;
  const label = `tenterhook fire ${shownEvents.map(([event]) => event).join(' and ')} on a terminal`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...lines.flatMap(drawLine),
    '</g>',
    '</svg>',
  ].join('\n')}\n`;
}

function drawLine(line, row) {
  const top = cell.margin + row * cell.height;
  let column = 0;
  return Anser.ansiToJson(line, { use_classes: true, remove_empty: true })
    .flatMap(({ content, fg, decorations }) => {
      const style = [`fill="${colours[fg] ?? foreground}"`];
      if (decorations.includes('dim')) style.push('opacity="0.6"');
      if (decorations.includes('bold')) style.push('font-weight="bold"');
      // Bars are drawn as shapes, because fonts leave gaps between block characters.
      return content.split(/([▐█▌]+| {2,})/).map((part) => {
        const text = part.trim();
        const x = cell.margin + (column + part.length - part.trimStart().length) * cell.width;
        column += part.length;
        if (text === '') return '';
        if (/[▐█▌]/.test(text)) return drawBar(text, x, top, style);
        const length = (text.length * cell.width).toFixed(1);
        return `<text x="${x.toFixed(1)}" y="${top + 15}" textLength="${length}" ${style.join(' ')}>${escapeXml(text)}</text>`;
      });
    })
    .filter((element) => element !== '');
}

function drawBar(part, x, top, style) {
  const start = part.startsWith('▐') ? 0.5 : 0;
  const end = part.endsWith('▌') ? 0.5 : 0;
  const width = ((part.length - start - end) * cell.width).toFixed(1);
  return `<rect x="${(x + start * cell.width).toFixed(1)}" y="${top + 4}" width="${width}" height="13" rx="2" ${style.join(' ')}/>`;
}

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescapeXml = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(picture, toSvg(printEvents()));
}
