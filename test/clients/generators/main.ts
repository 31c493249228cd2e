import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../../dev/machine/shell.ts'
import { connectMcp } from '../../support/tools/mcp.ts'
import { findPatterns } from '../../support/clients/patterns.ts'
import { answer, asked, askThenEnd, jobWith, startRun } from '../../support/runs/runs.ts'
import { startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import type { Generator } from './generator.ts'
import { goGenerators } from './go.ts'
import { javaGenerators } from './java.ts'
import { PATTERN_CHECKS } from './patterns.ts'
import { pythonGenerators } from './python.ts'
import { typescriptGenerators } from './typescript.ts'

interface Check {
  title: string
  /** Throws if the check finds a problem. */
  check: () => Promise<unknown>
}

const GENERATORS = [...pythonGenerators, ...javaGenerators, ...goGenerators, ...typescriptGenerators]

/**
 * `npm run test:generators [-- <part of a name> …]`: generates clients from the OpenAPI document. Each client must
 * compile, and read a list, a job, a stream and an error from a running service. Patterns must compile in Python, Go
 * and ECMAScript.
 */
async function main(parts: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ganglion-generators-'))
  const stack = await startStack()
  try {
    const workspace = await stack.workspace({ actor: 'user:ann' })
    const jobId = await completeRun(workspace)
    const document = join(folder, 'openapi.json')
    const { body } = await workspace.client.get<object>('/v1/openapi.json')
    writeFileSync(document, JSON.stringify(body))

    const settings = { GANGLION_URL: stack.baseUrl, GANGLION_API_KEY: workspace.api_key, GANGLION_JOB: jobId }
    const tryGenerator = async ({ name, build }: Generator) => {
      const own = join(folder, name.replace(' ', '-'))
      mkdirSync(own)
      const { command, args, env } = await build({ document, folder: own })
      expectReading(await run(command, args, { env: { ...settings, ...env } }), jobId)
    }
    const mcp = await connectMcp({ baseUrl: stack.baseUrl, token: workspace.api_key })
    const patterns = findPatterns([body, await mcp.listTools()])
    await mcp.close()

    const checks: Check[] = [
      ...GENERATORS.map(one => ({ title: describe(one), check: () => tryGenerator(one) })),
      ...Object.entries(PATTERN_CHECKS).map(([language, check]) => ({
        title: `${patterns.length} patterns in ${language}`,
        check: () => check(patterns, folder),
      })),
    ]
    return await runChecks(checks.filter(({ title }) => parts.length === 0 || parts.some(part => title.includes(part))))
  } finally {
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const describe = ({ name, version, note }: Generator): string => `${name} ${version}${note ? `: ${note}` : ''}`

/** Completes a run that asks a person. Returns its id. */
async function completeRun({ client, id }: TestWorkspace): Promise<string> {
  const jobId = await startRun(client, askThenEnd({ paid: true }), { amount: 1200 })
  const [question] = await asked(client, jobId)
  await answer(client, id, jobId, question?.interventionId ?? '', { action: 'approve' })
  await jobWith(client, jobId, 'completed')
  return jobId
}

/** Compares a program's output with the run: the list of jobs, the job, its stream, and the error for another job. */
function expectReading(printed: string, jobId: string): void {
  const { stream, ...others } = JSON.parse(printed) as { stream: string }
  assert.deepEqual(others, { jobs: [jobId], status: 'completed', error: 'NOT_FOUND' })
  assert.match(stream, /"type":"complete"/)
}

/** Prints one line per check, and the totals. */
async function runChecks(checks: Check[]): Promise<number> {
  let failed = 0
  for (const { title, check } of checks) {
    const began = Date.now()
    const problem = await check().then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    )
    if (problem !== undefined) failed += 1
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    process.stdout.write(`${problem === undefined ? 'ok  ' : 'FAIL'} ${title} (${seconds} s)\n`)
    if (problem !== undefined) process.stdout.write(`${problem}\n`)
  }
  process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`)
  return failed === 0 && checks.length > 0 ? 0 : 1
}

process.exit(await main(process.argv.slice(2)))
