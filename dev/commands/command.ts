/** A command in dev/main.ts. It receives the arguments after the command name, and returns the exit code. */
export type Command = (args: string[]) => Promise<number>
