import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, serverUser } from '../machine/folders.ts'
import type { NativeContext } from './component.ts'

/**
 * Lines in the default jvm.options that conflict with our settings or would make the JVM write to the installed
 * folder.
 */
const DROPPED = /UseG1GC|HeapDumpOnOutOfMemoryError|ErrorFile|Xlog:gc/

const JVM = ['-Xms512m', '-Xmx512m', '-XX:-AlwaysPreTouch', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']

/** Writes the settings for a single node that listens on the loopback address, and creates the node's folders. */
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
    // The circuit breaker would otherwise also count garbage, which the serial collector keeps until the heap is
    // full.
    'indices.breaker.total.use_real_memory: false',
    '',
  ].join('\n')
