export type Log = (name: string, message: string) => void

const startedAt = Date.now()

/** Prints one line: seconds since the command began, who speaks, what happened. */
export const logLine: Log = (name, message) => {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)
  for (const line of message.split('\n')) process.stderr.write(`${seconds}s  ${name.padEnd(14)} ${line}\n`)
}
