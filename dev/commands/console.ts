import { buildConsole } from '../console/build.ts'
import type { Command } from './command.ts'

/** `npm run console:build`: builds the web console in build/console. */
export const buildConsoleCommand: Command = async () => {
  await buildConsole()
  return 0
}
