/** A list on the command line has this many rows at most. */
export const ALL = { limit: 1_000, offset: 0 }

/** Collects the values of an option that can be given several times. */
export const collect = (value: string, before: string[] = []) => [...before, value]
