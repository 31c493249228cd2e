import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { AptInstall } from './apt.ts'
import { which } from './shell.ts'

const FOLDERS = ['/usr/lib/jvm', '/Library/Java/JavaVirtualMachines', '/opt/homebrew/opt']

/**
 * Returns the home folder of a JDK (with compiler) of at least this version. If there is none, installs the one from
 * Debian.
 */
export async function findJdk(minimum: number, apt: AptInstall): Promise<string> {
  const jdk = installedJdks().find(home => readVersion(home) >= minimum)
  if (jdk) return jdk
  await apt([`openjdk-${minimum}-jdk-headless`], `A JDK of version ${minimum} or later`)
  const installed = installedJdks().find(home => readVersion(home) >= minimum)
  if (!installed) throw new Error(`Could not find or install a JDK of version ${minimum} or later`)
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

/** Reads the version from the `release` file of a JDK, such as `JAVA_VERSION="25.0.1"`. */
function readVersion(home: string): number {
  const file = join(home, 'release')
  if (!existsSync(file)) return 0
  return Number(/JAVA_VERSION="(\d+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
}
