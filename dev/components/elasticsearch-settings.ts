import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, serverUser } from '../machine/folders.ts'
import type { NativeContext } from './component.ts'

/** Lines of the shipped jvm.options that clash with ours, or that would write into the installed folder. */
const DROPPED = /UseG1GC|HeapDumpOnOutOfMemoryError|ErrorFile|Xlog:gc/

const JVM = ['-Xms512m', '-Xmx512m', '-XX:-AlwaysPreTouch', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/** Writes settings for one node on the loopback address and makes the folders it works in. */
export function configureElasticsearch(
  context: NativeContext,
  installed: string,
): { config: string; temporary: string } {
  const user = serverUser()
  const [config, data, logs, temporary] = ['config', 'data', 'logs', 'tmp'].map(name => join(context.data, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const folder of [context.data, config, data, logs, temporary]) makeFolder(folder, { user })
  writeFileSync(join(config, 'elasticsearch.yml'), settings(context, data, logs))
  const shipped = readFileSync(join(installed, 'config/jvm.options'), 'utf8').split('\n')
  const lines = shipped.filter(line => line && !line.startsWith('#') && !DROPPED.test(line))
  writeFileSync(
    join(config, 'jvm.options'),
    [...lines, ...JVM, `-XX:ErrorFile=${logs}/hs_err_pid%p.log`, ''].join('\n'),
  )
  copyFileSync(join(installed, 'config/log4j2.properties'), join(config, 'log4j2.properties'))
  return { config, temporary }
}

const settings = (context: NativeContext, data: string, logs: string): string =>
  [
    'cluster.name: ganglion-dev',
    'discovery.type: single-node',
    'network.host: 127.0.0.1',
    `http.port: ${context.ports.elasticsearch}`,
    `path.data: ${JSON.stringify(data)}`,
    `path.logs: ${JSON.stringify(logs)}`,
    'xpack.security.enabled: false',
    'cluster.routing.allocation.disk.threshold_enabled: false',
    // The breaker would count garbage too, and the serial collector leaves that until the heap is full.
    'indices.breaker.total.use_real_memory: false',
    '',
  ].join('\n')
