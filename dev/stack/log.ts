export type Log = (name: string, message: string) => void

const startedAt = Date.now()

/** Prints one line that contains the seconds since the start of the command, a name and a message. */
export const logLine: Log = (name, message) => {
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)
  for (const line of message.split('\n')) process.stderr.write(`${seconds}s  ${name.padEnd(14)} ${line}\n`)
}
