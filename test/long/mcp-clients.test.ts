import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { installPythonPackages } from '../support/python-packages.ts'
import { pathway } from '../support/runs.ts'
import { useStack } from '../support/use-stack.ts'

/** The hosted MCP server, used by the clients of other projects. */

const context = useStack()
const CLIENTS = new URL('../mcp/python/clients.py', import.meta.url).pathname

test('the Python clients run a pathway with a person in it: as a task, by elicitation and by tools only', async () => {
  const approval = { id: 'ask', type: 'human', kind: 'approval', title: 'Pay 12 EUR?', assignees: ['user:ann'] }
  const ok = { id: 'ok', type: 'transform', with: { value: '${ nodes.ask.output }' } }
  const definition = pathway([approval, ok], 'ask.approve > ok', 'ask.reject > ok')
  const created = await context.workspace.client.post('/v1/pathways', { title: 'Pay', slug: 'pay', definition })
  expect(created.status).toBe(201)

  const python = await installPythonPackages('mcp==2.3.0', 'fastmcp==4.1.0')
  const args = [CLIENTS, `${context.stack.baseUrl}/v1/mcp`, context.workspace.api_key]
  const { stdout } = await promisify(execFile)(python, args)

  const outcomes = JSON.parse(stdout) as Record<string, object>
  expect(Object.keys(outcomes)).toHaveLength(6)
  for (const outcome of Object.values(outcomes))
    expect(outcome).toMatchObject({
      status: 'completed',
      result: { action: 'approve', comment: 'by Python', by: 'user:ann' },
    })
})
