import { renderTable } from '../../api/admin/output.ts'
import type { Environment } from '../components/component.ts'
import { COMPONENTS } from '../components/registry.ts'
import { answers, isWorker } from '../stack/apps.ts'
import { stillRunning } from '../stack/entries.ts'
import { STATE_DIR } from '../stack/stack.ts'
import { readState } from '../stack/state/state.ts'
import type { State } from '../stack/state/state.ts'
import type { Command } from './command.ts'
import { shownUrl } from './shown-url.ts'

type Row = [name: string, how: string, url: string, state: string]

/**
 * `npm run status`: prints a table of components and processes. For each one, shows how it was started, its address,
 * and whether it responds.
 */
export const status: Command = async () => {
  const state = readState(STATE_DIR)
  const rows = await Promise.all([
    ...COMPONENTS.map(component => componentRow(component.name, state)),
    ...appRows(state),
  ])
  process.stdout.write(`${renderTable([['component', 'how', 'url', 'state'], ...rows])}\n`)
  return 0
}

async function componentRow(name: string, state: State): Promise<Row> {
  const component = COMPONENTS.find(each => each.name === name)
  const elsewhere = component && process.env[component.urlKey]
  const entry = state.running[name]
  if (!component || (!elsewhere && !entry)) return [name, '-', '-', 'not started']
  const env = elsewhere ? (process.env as Environment) : (entry?.env ?? {})
  const how = elsewhere ? 'environment' : (entry?.how ?? '-')
  const answer = await outcome(component.check(env))
  return [name, how, shownUrl(env[component.urlKey] ?? ''), answer === 'ok' || alive(state, name) ? answer : 'ended']
}

function appRows(state: State): Promise<Row>[] {
  const further = Object.keys(state.running).filter(name => isWorker(name) && name !== 'worker')
  return ['api', 'worker', ...further].map(async (name): Promise<Row> => {
    const entry = state.running[name]
    if (!entry) return [name, '-', '-', 'not started']
    const base = name === 'api' ? `http://127.0.0.1:${state.ports['api']}` : ''
    if (!alive(state, name)) return [name, 'native', base, 'ended']
    return [name, 'native', base || '-', base ? await outcome(answers(`${base}/v1/health`)) : 'ok']
  })
}

const alive = (state: State, name: string): boolean => stillRunning(state).has(name)

const outcome = (check: Promise<void>): Promise<string> =>
  check.then(
    () => 'ok',
    (error: Error) => `down (${error.message})`,
  )
