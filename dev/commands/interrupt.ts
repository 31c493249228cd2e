/** A key press reaches a command several times: from the terminal, from npm, from the launcher. */
const SAME_REQUEST_MS = 1000

/** The command was asked to end while it was still at work. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}

/**
 * Aborts when a person or the system asks this command to end. The second such request ends it at
 * once; `npm stop` then ends what it started.
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
