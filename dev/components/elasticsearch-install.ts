import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installOnce, verifySha256 } from '../machine/cache.ts'
import { findJdk } from '../machine/java.ts'
import { mavenDownload } from '../machine/maven.ts'
import { findPython, unzip } from '../machine/python.ts'
import { run } from '../machine/shell.ts'
import type { NativeContext } from './component.ts'

const ARTIFACT = {
  group: 'org.elasticsearch.distribution.integ-test-zip',
  artifact: 'elasticsearch',
  version: '9.5.3',
  type: 'zip',
}
const SHA256 = 'bec49f3b8d00e75c8d1cec85c35298635ec9fbd3ae80ef5aeb6bc05abdb3db2d'
const PLUGIN = join(import.meta.dirname, 'elasticsearch-plugin')
/**
 * Increase this number when the plugin changes. The compiled plugin is part of the installed folder, which would
 * otherwise be reused.
 */
const PLUGIN_REVISION = 4

/** Minimum Java version for the server and the plugin. */
export const JAVA = 21

/** Installs the server and the plugin. Returns the server folder. */
export async function installElasticsearch(context: NativeContext): Promise<string> {
  const folder = await installOnce(`elasticsearch-${ARTIFACT.version}-${PLUGIN_REVISION}`, async target => {
    const jdk = await findJdk(JAVA, context.apt)
    const python = await findPython(context.apt)
    context.log(`installing Elasticsearch ${ARTIFACT.version} (Maven Central, 130 MB, once)`)
    const download = join(target, 'download')
    mkdirSync(download)
    const archive = await mavenDownload(ARTIFACT, download, context.apt)
    await verifySha256(archive, SHA256)
    await unzip(python, archive, target)
    rmSync(download, { recursive: true })
    const [unpacked] = readdirSync(target)
    renameSync(join(target, unpacked ?? ''), join(target, 'home'))
    await makeRunnable(join(target, 'home'))
    context.log('compiling the analysis plugin')
    await compilePlugin(jdk, join(target, 'home'))
  })
  return join(folder, 'home')
}

/** Python's unzip doesn't restore file modes, so this makes the programs executable again. */
const makeRunnable = (home: string): Promise<string> => run('chmod', ['-R', '+x', join(home, 'bin')])

async function compilePlugin(jdk: string, home: string): Promise<void> {
  const plugin = join(home, 'plugins/dev-analysis')
  const classes = join(home, 'plugin-classes')
  mkdirSync(plugin, { recursive: true })
  const source = join(PLUGIN, 'DevAnalysisPlugin.java')
  await run(join(jdk, 'bin/javac'), ['--release', String(JAVA), '-cp', join(home, 'lib/*'), '-d', classes, source])
  await run(join(jdk, 'bin/jar'), ['--create', '--file', join(plugin, 'dev-analysis.jar'), '-C', classes, '.'])
  copyFileSync(join(PLUGIN, 'plugin-descriptor.properties'), join(plugin, 'plugin-descriptor.properties'))
  rmSync(classes, { recursive: true })
}
