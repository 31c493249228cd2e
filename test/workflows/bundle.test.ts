import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadWorkflowBundle } from '../../workflows/bundle.ts'

test('a bundle with an absolute path is stored at that path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bundle-'))
  const file = join(folder, 'deep/workflow-bundle.js')
  const { code } = await loadWorkflowBundle({ WORKFLOW_BUNDLE: file })
  expect(await readFile(file, 'utf8')).toBe(code)
  await rm(folder, { recursive: true })
})
