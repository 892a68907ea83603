import fc from 'fast-check';
import { chunkLines } from '../../../page/texts/line-chunks.js';
import type { StyledSpan } from '../../../page/texts/styled-spans.js';

test('the blocks of a text have its lines in their order, at most 100 each, and every span keeps its classes', () => {
  const span = fc.record({ text: fc.stringMatching(/^[ab\n]{0,300}$/), classes: fc.constantFrom('', 'sgr-bold') });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 10 }), (spans) => {
      const chunks = chunkLines(spans);
      const texts = chunks.map((chunk) => chunk.map(({ text }) => text).join(''));
      expect(texts.join('\n')).toBe(spans.map(({ text }) => text).join(''));
      for (const text of texts) expect(text.split('\n').length).toBeLessThanOrEqual(100);
      const bold = (all: readonly StyledSpan[]) =>
        all.map(({ text, classes }) => (classes === '' ? '' : text.replaceAll('\n', ''))).join('');
      expect(bold(chunks.flat())).toBe(bold(spans));
    }),
  );
});
