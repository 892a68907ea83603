import { llxprt } from '../../src/index.js';
import { machine } from '../eca/eca-rig.js';

test.each(['/x/llxprt-code/settings.json', 'llxprt-code/settings.json', '/srv/app/etc/llxprt-code/settings.json'])(
  '%s is somebody’s whose folder is called as that of the system',
  (file) => {
    expect(llxprt().claims?.(file, machine())).toBeUndefined();
  },
);

test('the file of the system is the one that was named, whatever it is called', () => {
  const places = [
    ['/opt/x.json', '/opt/x.json'],
    ['C:\\etc\\x.json', 'C:/etc/x.json'],
  ] as const;
  for (const [systemFile, file] of places) expect(llxprt({ systemFile }).claims?.(file, machine())).toEqual({});
  expect(llxprt({ systemFile: '/opt/x.json' }).claims?.('/etc/llxprt-code/settings.json', machine())).toBeUndefined();
});
