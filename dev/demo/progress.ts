import type { JobEvent } from '@ganglion/client'

/**
 * Returns a function that prints the events of a run as they arrive: tokens as continuous text, and every other event
 * on its own line.
 */
export function createProgress(write: (text: string) => void): (event: JobEvent) => void {
  let inText = false

  function line(text: string): void {
    write(`${inText ? '\n' : ''}  ${text}\n`)
    inText = false
  }

  function token(text: string): void {
    const indentedText = text.replaceAll('\n', '\n    ')
    write(inText ? indentedText : `    ${indentedText}`)
    inText = true
  }

  let last = ''
  return event => {
    if (event.type === 'token') return token(event.token)
    // Large graphs skip many nodes, and the terminal event repeats the latest status. These events are not printed.
    if (event.type === 'node' && event.status === 'skipped') return
    const text = describe(event)
    if (text !== last) line(text)
    last = text
  }
}

type ShownEvent = Exclude<JobEvent, { type: 'token' }>

const DESCRIPTIONS: { [Type in ShownEvent['type']]: (event: Extract<ShownEvent, { type: Type }>) => string } = {
  status: event => `[${event.status}]`,
  node: event =>
    `${event.node_type.padEnd(9)} ${event.key.padEnd(12)} ${event.status}${arrow(event.port)}${because(event.error?.message)}`,
  intervention: event =>
    `person    ${(event.node_id ?? '').padEnd(12)} ${event.change}${because(event.action)}${event.by ? ` by ${event.by}` : ''}`,
  attempt_reset: event => `attempt ${event.attempt} of ${event.key} starts again`,
  notice: event => `(${event.key}: ${event.message})`,
  progress: event => `${event.done} of ${event.total} pieces`,
  segment: event => `${event.speaker ?? 'unknown speaker'}: ${event.text}${because(event.error?.message)}`,
  migrated: event =>
    `version ${event.from_version} -> ${event.to_version}${event.undone ? ' again' : ''} by ${event.by}`,
  ended: () => 'the meeting has ended',
  gap: event => `(gap: ${event.message})`,
  complete: () => '[completed]',
  error: event => `[failed] ${event.code}: ${event.message}`,
}

const arrow = (port: string | undefined): string => (port ? ` -> ${port}` : '')
const because = (text: string | undefined): string => (text ? `: ${text}` : '')

/** Describes an event in one line. For event types that only a newer API sends, returns the type. */
function describe(event: ShownEvent): string {
  const describeType = DESCRIPTIONS[event.type] as ((event: ShownEvent) => string) | undefined
  return describeType ? describeType(event) : `[${event.type}]`
}
