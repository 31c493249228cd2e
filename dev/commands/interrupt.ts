/** One key press reaches a command several times: through the terminal, npm and the launcher. */
const SAME_REQUEST_MS = 1000

/** Thrown when a command is interrupted while it is still working. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}

/**
 * Returns a signal that aborts when a person or the system asks this command to end. A second request ends the
 * command immediately. `npm stop` then stops what the command started.
 */
export function untilInterrupted(): AbortSignal {
  const controller = new AbortController()
  let first = 0
  const onSignal = () => {
    if (first === 0) first = Date.now()
    else if (Date.now() - first > SAME_REQUEST_MS) process.exit(130)
    controller.abort(new InterruptedError())
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return controller.signal
}
