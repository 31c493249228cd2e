/** Commands that print a line for each event, and in the tests end with their time. */
export const WATCHING = new Set(['events tail', 'inbox watch'])
