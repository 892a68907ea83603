import { closeParts, type OpenedParts } from '../../src/open/opened-parts.js';

/** Parts that note their end, of which some fail. */
function partsOf(closed: string[], failing: readonly string[]): OpenedParts {
  const close = (name: string) => {
    closed.push(name);
    if (failing.includes(name)) throw new Error(`${name} cannot be closed`);
  };
  return {
    trust: { dispose: () => close('trust'), removeCopies: async () => close('copies') },
    source: { dispose: () => close('source') },
    fileWatch: { stop: () => close('file watch') },
    listeners: { clear: () => close('listeners') },
    system: { dispose: async () => close('system') },
    recorder: { close: async () => close('recorder') },
    watches: { clear: () => close('watches') },
    records: { close: () => close('records') },
    inspection: { close: async () => close('inspection') },
  } as unknown as OpenedParts;
}

const all = ['file watch', 'trust', 'source', 'listeners', 'system', 'recorder', 'watches', 'records', 'inspection', 'copies'];

test.each(all)('if the part "%s" cannot be closed, the others are closed, and the error is passed on', async (name) => {
  const closed: string[] = [];
  await expect(closeParts(partsOf(closed, [name]))).rejects.toThrow(`${name} cannot be closed`);
  expect(closed).toEqual(all);
});

test('the first of several errors is passed on', async () => {
  await expect(closeParts(partsOf([], ['system', 'trust', 'copies']))).rejects.toThrow('trust cannot be closed');
});

test('nothing can start an event between the end of what starts events and the end of the system', () => {
  const closed: string[] = [];
  void closeParts(partsOf(closed, []));
  expect(closed).toEqual(['file watch', 'trust', 'source', 'listeners', 'system']);
});
