import type { InterventionView } from '../../contract/people/intervention.ts'
import { type ApiClient, createClient } from '../support/clients/client.ts'
import { answer, asked, askThenEnd, jobWith, startRun } from '../support/runs/runs.ts'
import { useStack } from '../support/stack/use-stack.ts'

/** An operator may choose who decides, but operators cannot choose themselves. */

const context = useStack()
const ASSIGNEE = 'user:boss'

let operator: ApiClient
let robot: ApiClient
let boss: ApiClient
beforeAll(async () => {
  const { workspace, stack } = context
  operator = await workspace.as('user:op', ['group:ops'])
  robot = createClient(stack.baseUrl, await workspace.newKey({ name: 'op-robot', owner: 'user:op' }))
  boss = await workspace.as(ASSIGNEE)
  await Promise.all([workspace.as('user:away'), workspace.as('user:other', ['group:ops'])])
})

async function ask() {
  const jobId = await startRun(context.workspace.client, askThenEnd('done', { title: 'Pay?', assignees: [ASSIGNEE] }))
  const [question] = await asked(context.workspace.client, jobId)
  const id = question?.interventionId ?? ''
  return {
    reassign: (by: ApiClient, ...to: string[]) =>
      by.post<{ message: string }>(`/v1/interventions/${id}/reassign`, { to }),
    approve: (by: ApiClient) => answer(by, context.workspace.id, jobId, id, { action: 'approve' }),
    read: async () => (await context.workspace.client.get<InterventionView>(`/v1/interventions/${id}`)).body,
    ended: () => jobWith(context.workspace.client, jobId, 'completed'),
  }
}

test('people cannot make themselves assignees', async () => {
  const task = await ask()
  const away = await context.workspace.as('user:away')
  await away.call('PUT', '/v1/absence', { substitute: 'user:op' })
  const attempts: [by: ApiClient, name: string][] = [
    [operator, 'user:op'],
    [operator, 'group:ops'],
    [operator, 'key:op-robot'],
    [operator, 'user:away'],
    [robot, 'key:op-robot'],
    [robot, 'user:op'],
    [robot, 'group:ops'],
    [robot, 'user:away'],
  ]
  for (const [by, name] of attempts)
    for (const to of [[name], [ASSIGNEE, name]]) {
      const { status, body } = await task.reassign(by, ...to)
      expect({ to, status, message: body.message }).toMatchObject({
        status: 403,
        message: expect.stringContaining(`another person must assign this to ${name}`),
      })
    }
  expect(await task.read()).toMatchObject({ assignees: [ASSIGNEE], revision: 0 })
  for (const by of [operator, robot]) expect((await task.approve(by)).status).toBe(403)
  await away.del('/v1/absence')
})

test('people cannot make themselves the substitute of an assignee', async () => {
  const task = await ask()
  const { workspace, stack } = context
  const permissions = ['access:manage' as const]
  const keys = [{ actor: 'user:op' }, { name: 'op-manager', owner: 'user:op' }]
  for (const fields of keys) {
    const by = createClient(stack.baseUrl, await workspace.newKey({ ...fields, permissions }))
    const named = await by.call<{ message: string }>('PUT', '/v1/absences', { actor: ASSIGNEE, substitute: 'user:op' })
    expect([named.status, named.body.message]).toEqual([
      403,
      `Another person must name user:op as the substitute for ${ASSIGNEE}`,
    ])
  }
  expect((await task.approve(operator)).status).toBe(403)
  expect((await boss.call('PUT', '/v1/absence', { substitute: 'user:op' })).status).toBe(200)
  expect((await task.approve(operator)).status).toBe(200)
  await boss.del('/v1/absence')
})

test('another person can assign the task, and an assignee keeps it', async () => {
  const task = await ask()
  expect((await task.reassign(operator, 'user:other')).status).toBe(200)
  expect((await task.reassign(boss, ASSIGNEE)).status).toBe(403)
  const other = await context.workspace.as('user:other')
  expect((await task.reassign(other, 'user:other', 'user:op')).status).toBe(200)
  expect((await task.reassign(operator, 'user:op')).status).toBe(200)
  expect((await task.approve(operator)).body).toMatchObject({ decided: true, by: 'user:op' })
  await task.ended()
})
