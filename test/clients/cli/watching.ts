/** Commands that print a line for each event. In the tests, they end by timeout. */
export const WATCHING = new Set(['events tail', 'inbox watch'])
