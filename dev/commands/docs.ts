import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { run } from '../machine/shell.ts'
import type { Command } from './command.ts'

/** `npm run docs`: builds the documentation site as static files in build/docs. Fails if there are dead links. */
export const buildDocs: Command = async () => {
  await run(join(CHECKOUT, 'node_modules/.bin/vitepress'), ['build', 'docs'], { cwd: CHECKOUT })
  if (!existsSync(join(CHECKOUT, 'build/docs/index.html'))) throw new Error('The site has no start page')
  process.stdout.write(
    'Built the site in build/docs. Serve it with any web server, for example: npx vitepress preview docs\n',
  )
  return 0
}
