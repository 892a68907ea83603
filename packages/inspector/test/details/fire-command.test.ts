import { visibleLine } from '../../page/texts/visible-text.js';
import { eventLines, inspecting } from '../inspector-rig.js';

test('the command that fires an event again has the input as it was, also with characters that cannot be seen', async () => {
  const texts = ['\u0000\u001b[2J', '\u007f', '\u0085\u009b', 'a\u00adb', '\u202e\u2066\u200b', '\u{e0041}', '\u2028', '\ud800', 'grün ⚠️'];
  const input = { tool_name: 'write_file', tool_input: Object.fromEntries(texts.map((text) => [text, text])) };
  await inspecting(eventLines(0, { input }), async (inspector) => {
    const { command } = (await inspector.json('/api/events/0')) as { command: string };
    // The page shows it, and copies what it shows.
    const [, copied = ''] = /^tenterhook fire BeforeTool --input '(.*)'$/.exec(visibleLine(command, Number.POSITIVE_INFINITY)) ?? [];
    expect(JSON.parse(copied)).toEqual(input);
  });
});
