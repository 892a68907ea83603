import { hasTerm, replaceTerm, suggestFilters, toggleTerm } from '../../../page/filter/edit-filter.js';
import { hookOf, rowOf } from '../rows.js';

const deny = { key: 'verdict', value: 'deny', isNegated: false } as const;

test('a chip adds its term and takes it away again', () => {
  const once = toggleTerm('event:BeforeTool', deny);
  expect(once).toBe('event:BeforeTool verdict:deny');
  expect(hasTerm(once, deny)).toBe(true);
  expect(toggleTerm(once, deny)).toBe('event:BeforeTool');
});

test('a time range replaces the one before it', () => {
  expect(replaceTerm('guard time:1..2', 'time', '3..4')).toBe('guard time:3..4');
  expect(replaceTerm('guard time:1..2', 'time', undefined)).toBe('guard');
});

test('keys are suggested, then the values that occur', () => {
  const rows = [
    rowOf({ event: 'BeforeTool', subject: 'write_file', hooks: [hookOf({ name: 'my guard' })] }),
    rowOf({ event: 'AfterTool' }),
  ];
  expect(suggestFilters('x ev', rows)).toEqual(['x event:']);
  expect(suggestFilters('x -event:', rows)).toEqual(['x -event:AfterTool', 'x -event:BeforeTool']);
  expect(suggestFilters('tool:wr', rows)).toEqual(['tool:write_file']);
  expect(suggestFilters('hook:gu', rows)).toEqual(['hook:"my guard"']);
});
