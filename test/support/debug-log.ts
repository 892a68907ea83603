/** The log reads DEBUG once, when it is loaded. Tests that switch namespaces later must import this file first. */
process.env['DEBUG'] = 'none';

export {};
