import { globSync } from 'node:fs'
import { CHECKOUT } from '../../dev/machine/folders.ts'
import { createDemoWorkspace } from '../support/docs/demo-workspace.ts'
import { hasCommands } from '../support/docs/page.ts'
import { runPage } from '../support/docs/run-page.ts'
import { useStack } from '../support/stack/use-stack.ts'

const context = useStack()

const PAGES = globSync(['README.md', 'docs/{start,tutorials,guides}/**/*.md'], { cwd: CHECKOUT })
  .filter(hasCommands)
  .toSorted()

test.each(PAGES)('%s', async page => {
  expect(await runPage(page, context.stack, await createDemoWorkspace(context.stack))).toBe('')
})
