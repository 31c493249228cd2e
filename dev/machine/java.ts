import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { AptInstall } from './apt.ts'
import { which } from './shell.ts'

const FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines', '/opt/homebrew/opt']

/** The home of a JDK (with compiler) of at least this version; Debian's when there is none yet. */
export async function findJdk(minimum: number, apt: AptInstall): Promise<string> {
  const jdk = installedJdks().find(home => readVersion(home) >= minimum)
  if (jdk) return jdk
  await apt([`openjdk-${minimum}-jdk-headless`], `A JDK of version ${minimum} or newer`)
  const installed = installedJdks().find(home => readVersion(home) >= minimum)
  if (!installed) throw new Error(`No JDK of version ${minimum} or newer is to be had`)
  return installed
}

function installedJdks(): string[] {
  const javac = which('javac')
  const homes = [
    process.env['JAVA_HOME'] ?? '',
    ...FOLDERS.filter(existsSync).flatMap(folder => readdirSync(folder).map(name => join(folder, name))),
    javac ? join(realpathSync(javac), '../..') : '',
  ]
  return homes.flatMap(home => [home, join(home, 'Contents/Home')]).filter(home => existsSync(join(home, 'bin/javac')))
}

/** The `release` file of a JDK says `JAVA_VERSION="25.0.1"`. */
function readVersion(home: string): number {
  const file = join(home, 'release')
  if (!existsSync(file)) return 0
  return Number(/JAVA_VERSION="(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
}
