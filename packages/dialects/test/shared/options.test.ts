import { refuseOption, requireKnownOptions } from '../../src/shared/options.js';

test('known options are accepted, and so is their absence', () => {
  expect(() => requireKnownOptions('agent', {}, ['tools', 'managedFile'])).not.toThrow();
  expect(() => requireKnownOptions('agent', { tools: {} }, ['tools', 'managedFile'])).not.toThrow();
});

test.each([
  [null, 'agent: the options must be an object or undefined.'],
  [[], 'agent: the options must be an object or undefined.'],
  [{ tool: {} }, 'agent: there is no option "tool". Did you mean "tools"?'],
  [{ colours: 1 }, 'agent: there is no option "colours". Its options are tools, managedFile.'],
])('the options %j are refused', (options, message) => {
  expect(() => requireKnownOptions('agent', options, ['tools', 'managedFile'])).toThrow(new TypeError(message));
});

test('an invalid value is refused with what is expected', () => {
  expect(() => refuseOption('agent', 'tools', 'an object')).toThrow(new TypeError('agent: the option "tools" must be an object.'));
});
