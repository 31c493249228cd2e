import { createApt } from './apt.ts'
import { which } from './shell.ts'

/** Returns the path of Chromium. Installs Chromium if it is missing. Set `CHROMIUM` to use a different browser. */
export async function ensureChromium(log: (message: string) => void): Promise<string> {
  const executable = process.env['CHROMIUM'] ?? which('chromium')
  if (executable) return executable
  await createApt(log)(['chromium', 'fonts-dejavu-core'], 'Chromium')
  return which('chromium') ?? fail('Chromium is not installed')
}

function fail(message: string): never {
  throw new Error(message)
}
