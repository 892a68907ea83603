/** The log reads DEBUG once, when it is loaded. Tests that switch namespaces on and off later import this file first. */
process.env['DEBUG'] = 'none';

export {};
