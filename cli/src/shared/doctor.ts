import type { Ganglion } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, type Context } from './command.ts'
import { CliError, EXIT, describeFailure } from './exit.ts'
import { VERSION } from '../version.ts'

interface Check {
  name: string
  ok: boolean
  detail: string
}

const MAX_SKEW_MS = 5_000
const STREAM_MS = 20_000

/** Adds the `doctor` and `version` commands. */
export function add(program: Command): void {
  addCommand(program, {
    name: 'doctor',
    example: 'doctor --json',
    run: diagnose,
  })
  addCommand(program, {
    name: 'version',
    example: 'version --json',
    run: async context => {
      const service = await readServiceVersion(context)
      await context.print(
        { ganglion: VERSION, service },
        () => `ganglion ${VERSION}${service ? `\nservice ${service}` : ''}`,
      )
    },
  })
}

/** Returns null if no service is configured or reachable. */
async function readServiceVersion(context: Context): Promise<string | null> {
  try {
    const client = await context.client()
    return (await client.with({ maxRetries: 0, timeout: 2_000 }).health.get()).version
  } catch {
    return null
  }
}

async function diagnose(context: Context): Promise<void> {
  const client = await context.client()
  const checks: Check[] = []
  const began = Date.now()
  const health = await client
    .with({ maxRetries: 0, timeout: 10_000 })
    .health.get()
    .withResponse()
    .catch((error: unknown) => error as Error)
  if (health instanceof Error) checks.push({ name: 'service', ok: false, detail: health.message })
  else {
    const { data, response } = health
    const took = Date.now() - began
    const down = Object.entries(data.components)
      .filter(([, state]) => state === 'down')
      .map(([name]) => name)
    checks.push({
      name: 'service',
      ok: data.status !== 'down',
      detail: `${context.settings.url} is ${data.status}, ${took} ms${down.length > 0 ? `; down: ${down.join(', ')}` : ''}`,
    })
    checks.push({
      name: 'key',
      ok: data.workspace !== undefined,
      detail: data.workspace ? `valid for the workspace ${data.workspace.slug}` : 'not accepted',
    })
    const skew = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())
    checks.push({
      name: 'clock',
      ok: !(skew > MAX_SKEW_MS),
      detail: Number.isNaN(skew) ? 'the service sends no Date header' : `${Math.round(skew / 1000)} s difference`,
    })
    checks.push({
      name: 'version',
      ok: data.version.split('.')[0] === VERSION.split('.')[0],
      detail: `service ${data.version}, command ${VERSION}`,
    })
    checks.push(await checkStream(client))
  }
  await context.print({ ok: checks.every(({ ok }) => ok), checks }, () =>
    checks.map(({ ok, name, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${detail}\n`).join(''),
  )
  if (health instanceof Error) throw new CliError(describeFailure(health).exitCode, 'The service does not respond')
  if (checks.some(({ ok }) => !ok)) throw new CliError(EXIT.error, 'Some checks failed')
}

/** Checks streaming. The first event of the workspace stream arrives immediately, unless a proxy buffers it. */
async function checkStream(client: Ganglion): Promise<Check> {
  const began = Date.now()
  try {
    for await (const event of client.events.stream({}, { signal: AbortSignal.timeout(STREAM_MS) }))
      return { name: 'stream', ok: true, detail: `${event.type} after ${Date.now() - began} ms` }
    return { name: 'stream', ok: false, detail: 'ended immediately' }
  } catch (error) {
    return {
      name: 'stream',
      ok: false,
      detail: `no event within ${STREAM_MS / 1000} s: ${describeFailure(error).message}`,
    }
  }
}
