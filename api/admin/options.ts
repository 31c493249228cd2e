/** Maximum number of rows in command-line lists. */
export const ALL = { limit: 1_000, offset: 0 }

/** Collects the values of a repeatable option. */
export const collect = (value: string, before: string[] = []) => [...before, value]
