import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installNpmPackages } from '../support/clients/npm-package.ts'
import { installPythonPackages } from '../support/clients/python-packages.ts'
import { pathway } from '../support/runs/runs.ts'
import { useStack } from '../support/stack/use-stack.ts'

/** Third-party clients use the hosted MCP server. */

const context = useStack()
const execute = promisify(execFile)
const CLIENTS = new URL('../clients/mcp/python/clients.py', import.meta.url).pathname

test('the Python clients run a pathway with a human task: as a task, by elicitation and with only tools', async () => {
  const approval = { id: 'ask', type: 'human', kind: 'approval', title: 'Pay 12 EUR?', assignees: ['user:ann'] }
  const ok = { id: 'ok', type: 'transform', with: { value: '${ nodes.ask.output }' } }
  const definition = pathway([approval, ok], 'ask.approve > ok', 'ask.reject > ok')
  const created = await context.workspace.client.post('/v1/pathways', { title: 'Pay', slug: 'pay', definition })
  expect(created.status).toBe(201)

  const python = await installPythonPackages('mcp==2.3.0', 'fastmcp==4.1.0')
  const args = [CLIENTS, `${context.stack.baseUrl}/v1/mcp`, context.workspace.api_key]
  const { stdout } = await execute(python, args)

  const outcomes = JSON.parse(stdout) as Record<string, object>
  expect(Object.keys(outcomes)).toHaveLength(6)
  for (const outcome of Object.values(outcomes))
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { action: 'approve', comment: 'by Python', by: 'user:ann' },
    })
})

describe('the inspector', () => {
  let inspector: string
  let home: string
  beforeAll(async () => {
    inspector = join(
      await installNpmPackages('@modelcontextprotocol/inspector@2.12.0'),
      '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    )
    home = await mkdtemp(join(tmpdir(), 'inspector-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  /** Returns the result of the method. Throws when the inspector finds a problem. */
  async function inspect(method: string, ...more: string[]): Promise<unknown> {
    const { baseUrl } = context.stack
    const key = `Authorization: Bearer ${context.workspace.api_key}`
    const target = [`${baseUrl}/v1/mcp`, '--transport', 'http', '--protocol-era', 'modern', '--header', key]
    const options = ['--stored-auth-only', '--format', 'json', '--method', method, ...more]
    const { stdout } = await execute(process.execPath, [inspector, '--cli', ...target, ...options], {
      env: { PATH: process.env.PATH, HOME: home },
    })
    return JSON.parse(stdout)
  }

  test('reports that the schemas of all tools are portable, and calls a tool', async () => {
    await inspect('tools/list', '--strict')
    const called = await inspect('tools/call', '--tool-name', 'search', '--tool-arg', 'query=invoices')
    expect(JSON.stringify(called)).toContain('structuredContent')
  })

  test('verifies the skills and their hashes', async () => {
    const skill = {
      title: 'Refunds',
      slug: 'refunds',
      description: 'How refunds are decided',
      instructions: 'Pay at once.',
    }
    expect((await context.workspace.client.post('/v1/skills', skill)).status).toBe(201)
    expect(JSON.stringify(await inspect('skills/list', '--verify', '--require-digests'))).toContain('refunds')
  })
})
