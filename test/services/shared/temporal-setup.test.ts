import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readEnvironment } from '../../../config/environment.ts'
import type { TemporalSetup } from '../../../services/shared/temporal-setup.ts'
import { SEARCH_ATTRIBUTES } from '../../../workflows/shared/run/messages.ts'

const ADMIN = join(import.meta.dirname, '../../../api/admin.ts')
const { TEMPORAL_ADDRESS = '' } = readEnvironment()

/** Runs the command with only the Temporal settings. */
async function setUp(env: Record<string, string>, ...args: string[]): Promise<string> {
  const options = { cwd: '/', env: { PATH: process.env.PATH, TEMPORAL_ADDRESS, ...env } }
  return (await promisify(execFile)(process.execPath, [ADMIN, 'temporal', 'setup', ...args], options)).stdout
}

test('the setup creates the namespace and the search attributes once, and reports differences', async () => {
  const TEMPORAL_NAMESPACE = `setup-${randomUUID()}`
  const run = async (...args: string[]) =>
    JSON.parse(await setUp({ TEMPORAL_NAMESPACE }, '--json', ...args)) as TemporalSetup
  const names = Object.keys(SEARCH_ATTRIBUTES)
  const first = await run('--retention', '7d')
  expect(first).toMatchObject({ namespace: TEMPORAL_NAMESPACE, created: true, retention_days: 7, warnings: [] })
  expect(first.search_attributes.toSorted()).toEqual(names.toSorted())

  const second = await run('--retention', '30d')
  expect(second).toMatchObject({ created: false, retention_days: 7, search_attributes: [] })
  expect(second.warnings).toEqual([expect.stringContaining(`update -n ${TEMPORAL_NAMESPACE} --retention 30d`)])
  expect(await setUp({ TEMPORAL_NAMESPACE }, '--retention', '7d')).toMatch(
    /^Namespace \S+ exists and keeps closed runs for 7 days\.\nAll search attributes exist\.\nThe server has version \S+\.\n$/,
  )
})

test('the setup names the setting that is wrong', async () => {
  await expect(setUp({ TEMPORAL_ADDRESS: '127.0.0.1:1' })).rejects.toMatchObject({
    code: 1,
    stderr: 'Temporal at TEMPORAL_ADDRESS does not respond\n',
  })
  await expect(setUp({ TEMPORAL_ADDRESS: '' })).rejects.toMatchObject({
    stderr: expect.stringContaining('TEMPORAL_ADDRESS'),
  })
  await expect(setUp({}, '--retention', 'month')).rejects.toMatchObject({
    stderr: expect.stringContaining('Enter a number of days'),
  })
})
