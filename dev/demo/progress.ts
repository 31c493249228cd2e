import type { JobEvent } from '@ganglion/client'

/** Prints the events of a run as they come: tokens as running text, everything else a line each. */
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
    // Nodes that are passed by are many in a large graph, and the terminal event repeats the last status.
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
  ended: () => 'the meeting is over',
  gap: event => `(gap: ${event.message})`,
  complete: () => '[completed]',
  error: event => `[failed] ${event.code}: ${event.message}`,
}

const arrow = (port: string | undefined): string => (port ? ` -> ${port}` : '')
const because = (text: string | undefined): string => (text ? `: ${text}` : '')

/** Types that a newer API may add are shown by name. */
function describe(event: ShownEvent): string {
  const describeType = DESCRIPTIONS[event.type] as ((event: ShownEvent) => string) | undefined
  return describeType ? describeType(event) : `[${event.type}]`
}
