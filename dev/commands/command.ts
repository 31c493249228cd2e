/** A command of dev/main.ts: gets what stands behind its name, gives the exit code. */
export type Command = (args: string[]) => Promise<number>
