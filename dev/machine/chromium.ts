import { createApt } from './apt.ts'
import { which } from './shell.ts'

/** Returns the path of Chromium, which is installed where there is none. `CHROMIUM` names another one. */
export async function ensureChromium(log: (message: string) => void): Promise<string> {
  const found = process.env['CHROMIUM'] ?? which('chromium')
  if (found) return found
  await createApt(log)(['chromium', 'fonts-dejavu-core'], 'Chromium')
  return which('chromium') ?? fail('Chromium is not installed')
}

function fail(message: string): never {
  throw new Error(message)
}
