import { Client, Connection } from '@temporalio/client'
import { waitUntil } from '../../support/stack/process.ts'
import { answer, asked, readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { useStack } from '../../support/stack/use-stack.ts'
import { select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { auditLogTable } from '../../../data/audit/tables.ts'
import type { InterventionView } from '../../../contract/people/intervention.ts'

const context = useStack()

const human = (id: string, more: object = {}) => ({ id, type: 'human', kind: 'approval', ...more })
const end = (id: string, output: unknown) => ({ id, type: 'end', output })
const approval = (more: object = {}) =>
  pathway(
    [
      human('review', more),
      end('yes', { by: '${nodes.review.output.by}' }),
      end('no', 'rejected'),
      ...('due' in more ? [end('late', 'late')] : []),
    ],
    'review.approve > yes',
    'review.reject > no',
    ...('due' in more ? ['review.timeout > late'] : []),
  )

async function onlyQuestion(jobId: string): Promise<string> {
  const [question] = await asked(context.workspace.client, jobId)
  return question?.interventionId ?? ''
}
async function historyLength(jobId: string): Promise<number> {
  const connection = await Connection.connect({ address: context.stack.env.TEMPORAL_ADDRESS })
  const client = new Client({ connection, namespace: context.stack.env.TEMPORAL_NAMESPACE })
  const { historyLength: length } = await client.workflow.getHandle(jobId).describe()
  await connection.close()
  return length
}

describe('an approval', () => {
  test('rejects invalid answers, and keeps no trace of the attempts', async () => {
    const jobId = await startRun(context.workspace.client, approval())
    const id = await onlyQuestion(jobId)
    const before = await historyLength(jobId)
    const wrong = { action: 'submit_input', data: 1 }
    const { body } = await answer(context.workspace.client, context.workspace.id, jobId, id, wrong)
    expect(body).toMatchObject({ details: [{ pointer: '/input/action' }] })
    const attempts = [
      { action: 'answer_questions', answers: {} },
      { action: 'decline_questions' },
      { action: 'dance' },
      {},
    ]
    for (const attempt of attempts) {
      expect((await answer(context.workspace.client, context.workspace.id, jobId, id, attempt)).status).toBe(400)
    }
    const other = '01975cab-0000-7000-8000-000000000000'
    expect(
      (await answer(context.workspace.client, context.workspace.id, jobId, other, { action: 'approve' })).status,
    ).toBe(400)
    expect(
      (
        await context.workspace.client.post(`/v1/jobs/${jobId}/input`, {
          workspace_id: context.workspace.id,
          input: { type: 'text' },
        })
      ).status,
    ).toBe(400)
    expect(await historyLength(jobId)).toBe(before)
    await answer(context.workspace.client, context.workspace.id, jobId, id, { action: 'reject', comment: 'no' })
    expect((await jobWith(context.workspace.client, jobId)).result).toBe('rejected')
  })

  test('the same answer sent twice gets the same response, and a different answer gets the decider and the time', async () => {
    const jobId = await startRun(context.workspace.client, approval())
    const id = await onlyQuestion(jobId)
    const first = await answer(context.workspace.client, context.workspace.id, jobId, id, {
      action: 'approve',
      comment: 'ok',
    })
    const again = await answer(context.workspace.client, context.workspace.id, jobId, id, {
      action: 'approve',
      comment: 'ok',
    })
    expect(first.status).toBe(200)
    expect(again.body).toEqual(first.body)
    await jobWith(context.workspace.client, jobId)
    const afterTheEnd = await answer(context.workspace.client, context.workspace.id, jobId, id, {
      action: 'approve',
      comment: 'ok',
    })
    expect(afterTheEnd.body).toEqual(first.body)
    const bob = await context.workspace.as('user:bob')
    const other = await answer(bob, context.workspace.id, jobId, id, { action: 'reject' })
    expect(other).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(other.body.message).toContain('approve by user:ann at ')
  })

  test('of two simultaneous answers, only one decides', async () => {
    const jobId = await startRun(context.workspace.client, approval())
    const id = await onlyQuestion(jobId)
    const people = await Promise.all(Array.from({ length: 6 }, (_, i) => context.workspace.as(`user:p${i}`)))
    const replies = await Promise.all(
      people.map((person, i) =>
        answer(person, context.workspace.id, jobId, id, { action: i % 2 ? 'approve' : 'reject' }),
      ),
    )
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    expect(replies.filter(reply => reply.status === 400)).toHaveLength(5)
  })

  test('goes to its assignees, by name or group', async () => {
    const jobId = await startRun(context.workspace.client, approval({ assignees: ['group:finance', 'user:cfo'] }))
    const id = await onlyQuestion(jobId)
    expect(
      (await answer(context.workspace.client, context.workspace.id, jobId, id, { action: 'approve' })).status,
    ).toBe(403)
    const clerk = await context.workspace.as('user:eve', ['group:finance'])
    expect((await answer(clerk, context.workspace.id, jobId, id, { action: 'approve' })).body).toMatchObject({
      by: 'user:eve',
      decided: true,
    })
  })

  test('needs its quorum, without counting the requester', async () => {
    const jobId = await startRun(context.workspace.client, approval({ quorum: 2, exclude_requester: true }))
    const id = await onlyQuestion(jobId)
    expect(
      (await answer(context.workspace.client, context.workspace.id, jobId, id, { action: 'approve' })).status,
    ).toBe(403)
    const [bob, eve] = await Promise.all([context.workspace.as('user:bob'), context.workspace.as('user:eve')])
    expect((await answer(bob, context.workspace.id, jobId, id, { action: 'approve' })).body).toMatchObject({
      decided: false,
      approvals: 1,
    })
    expect((await answer(bob, context.workspace.id, jobId, id, { action: 'reject' })).status).toBe(400)
    expect((await answer(eve, context.workspace.id, jobId, id, { action: 'approve' })).body).toMatchObject({
      decided: true,
      approvals: 2,
    })
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ by: 'user:eve' })
  })
})

describe('four eyes', () => {
  const ask = approval({ exclude_requester: true })

  test('cannot be satisfied by one person with two keys, even when a child run asks', async () => {
    const { workspace } = context
    await workspace.client.post('/v1/pathways', { title: 'Ask', slug: 'four-eyes', definition: ask })
    const robot = await workspace.ownedBy('user:ann')
    const child = pathway([{ id: 'child', type: 'pathway', ref: 'four-eyes' }])
    for (const [definition, requester, excluded] of [
      [ask, robot, workspace.client],
      [child, robot, workspace.client],
      [ask, workspace.client, robot],
    ] as const) {
      const jobId = await startRun(requester, definition)
      const id = await onlyQuestion(jobId)
      const refused = await answer(excluded, workspace.id, jobId, id, { action: 'approve' })
      expect(refused).toMatchObject({
        status: 403,
        body: { message: 'user:ann is one of the people behind this run and may not decide here' },
      })
      const another = await workspace.ownedBy('user:bob', 'other')
      expect(await answer(another, workspace.id, jobId, id, { action: 'approve' })).toMatchObject({
        status: 200,
        body: { by: 'key:other', decided: true },
      })
      const { body } = await workspace.client.get<InterventionView>(`/v1/interventions/${id}`)
      expect(body.decision).toEqual({ action: 'approve', by: 'key:other', at: expect.any(String) })
    }
  })
})

describe('a quorum that not enough people can reach', () => {
  test('is reported on the stream, and in the intervention while it is open', async () => {
    await context.workspace.as('user:ann', ['group:audit'])
    const bob = await context.workspace.as('user:bob', ['group:audit'])
    const definition = approval({ title: 'Pay?', assignees: ['group:audit'], quorum: 2, exclude_requester: true })
    const jobId = await startRun(context.workspace.client, definition)
    const id = await onlyQuestion(jobId)
    const read = () => context.workspace.client.get<InterventionView>(`/v1/interventions/${id}`)
    expect((await read()).body).toMatchObject({ quorum: 2, eligible: 1 })
    const eve = await context.workspace.as('user:eve', ['group:audit'])
    expect((await read()).body).toMatchObject({ eligible: 2 })
    for (const client of [bob, eve]) await answer(client, context.workspace.id, jobId, id, { action: 'approve' })
    expect((await jobWith(context.workspace.client, jobId)).status).toBe('completed')
    expect((await read()).body.eligible).toBeUndefined()
    expect((await readEvents(context.workspace.client, jobId)).map(({ data }) => data)).toContainEqual({
      type: 'notice',
      node_id: 'review',
      key: 'review',
      code: 'QUORUM_UNREACHABLE',
      message: '"Pay?" requires 2 answers, but only 1 of the known people may answer',
    })
  })
})

describe('time', () => {
  test('reminds, escalates, and without an answer continues along the timeout port', async () => {
    const jobId = await startRun(
      context.workspace.client,
      approval({
        assignees: ['user:nobody'],
        remind: ['PT1S'],
        escalate: [{ after: 'PT2S', to: ['user:boss'] }],
        due: 'PT3S',
      }),
    )
    expect((await jobWith(context.workspace.client, jobId)).result).toBe('late')
    const changes = (await readEvents(context.workspace.client, jobId)).flatMap(({ data }) =>
      data.type === 'intervention' ? [data.change] : [],
    )
    expect(changes).toEqual(['opened', 'reminded', 'escalated', 'timed_out'])
    const { body } = await context.workspace.client.get<{ data: InterventionView[] }>(
      `/v1/interventions?job_id=${jobId}`,
    )
    expect(body.data).toMatchObject([{ status: 'timed_out', assignees: ['user:nobody', 'user:boss'] }])
  })
})

describe('forms and questions', () => {
  const form = {
    type: 'object',
    properties: { iban: { type: 'string', pattern: '^[A-Z]{2}[0-9]+$' } },
    required: ['iban'],
    additionalProperties: false,
  }
  test('a form accepts only data that matches its schema', async () => {
    const jobId = await startRun(
      context.workspace.client,
      pathway([human('ask', { kind: 'form', form }), end('z', '${nodes.ask.output.data}')], 'ask.submit_input > z'),
    )
    const id = await onlyQuestion(jobId)
    const bad = await answer(context.workspace.client, context.workspace.id, jobId, id, {
      action: 'submit_input',
      data: { iban: 'nope', more: 1 },
    })
    expect(bad).toMatchObject({
      status: 400,
      body: { details: expect.arrayContaining([expect.objectContaining({ pointer: '/input/data/iban' })]) },
    })
    await answer(context.workspace.client, context.workspace.id, jobId, id, {
      action: 'submit_input',
      data: { iban: 'DE12' },
    })
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ iban: 'DE12' })
  })

  test('an answer from a person who may not answer returns 403, even with invalid data', async () => {
    const { client, id: workspaceId } = context.workspace
    const ask = human('ask', { kind: 'form', form, assignees: ['group:payroll'] })
    const jobId = await startRun(client, pathway([ask, end('z', '${nodes.ask.output.data}')], 'ask.submit_input > z'))
    const id = await onlyQuestion(jobId)
    const wrong = { action: 'submit_input', data: { iban: 'nope' } } as const
    const clerk = await context.workspace.as('user:payer', ['group:payroll'])
    const statuses = [
      (await answer(client, workspaceId, jobId, id, wrong)).status,
      (await answer(clerk, workspaceId, jobId, id, wrong)).status,
      (await answer(clerk, workspaceId, jobId, id, { ...wrong, data: { iban: 'DE12' } })).status,
    ]
    expect(statuses).toEqual([403, 400, 200])
  })

  test('questions require all of their answers, chosen from their options', async () => {
    const questions = [
      { id: 'color', text: 'Which?', options: ['red', 'blue'] },
      { id: 'why', text: 'Why ${input.who}?' },
    ]
    const definition = pathway(
      [human('ask', { kind: 'questions', questions }), end('z', '${nodes.ask.output.answers}'), end('n', 'declined')],
      'ask.answer_questions > z',
      'ask.decline_questions > n',
    )
    const jobId = await startRun(context.workspace.client, definition, { who: 'me' })
    const [question] = await asked(context.workspace.client, jobId)
    expect(question?.questions?.[1]?.text).toBe('Why me?')
    const id = question?.interventionId ?? ''
    for (const answers of [{ color: 'red' }, { color: 'green', why: 'x' }, { color: 'red', why: 'x', other: 'y' }]) {
      expect(
        (
          await answer(context.workspace.client, context.workspace.id, jobId, id, {
            action: 'answer_questions',
            answers,
          })
        ).status,
      ).toBe(400)
    }
    await answer(context.workspace.client, context.workspace.id, jobId, id, {
      action: 'answer_questions',
      answers: { color: 'red', why: 'x' },
    })
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ color: 'red', why: 'x' })
  })
})

describe('several interventions at once', () => {
  test('each answer goes to its own question', async () => {
    const definition = pathway(
      [
        human('a'),
        human('b'),
        { id: 'both', type: 'join', mode: 'all' },
        end('z', { a: '${nodes.a.output.comment}', b: '${nodes.b.output.comment}' }),
      ],
      'a.approve > both',
      'a.reject > both',
      'b.approve > both',
      'b.reject > both',
      'both > z',
    )
    const jobId = await startRun(context.workspace.client, definition)
    const questions = await waitUntil(async () => {
      const open = await asked(context.workspace.client, jobId)
      return open.length === 2 && open
    })
    const find = (node: string) => questions.find(({ node_id }) => node_id === node)?.interventionId ?? ''
    await answer(context.workspace.client, context.workspace.id, jobId, find('b'), {
      action: 'approve',
      comment: 'for b',
    })
    await answer(context.workspace.client, context.workspace.id, jobId, find('a'), {
      action: 'reject',
      comment: 'for a',
    })
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ a: 'for a', b: 'for b' })
  })

  test('the first answer of a race withdraws the other question', async () => {
    const definition = pathway(
      [human('a'), human('b'), { id: 'first', type: 'join', mode: 'any' }],
      'a.approve > first',
      'a.reject > first',
      'b.approve > first',
      'b.reject > first',
    )
    const jobId = await startRun(context.workspace.client, definition)
    const questions = await waitUntil(async () => {
      const open = await asked(context.workspace.client, jobId)
      return open.length === 2 && open
    })
    const b = questions.find(({ node_id }) => node_id === 'b')?.interventionId ?? ''
    await answer(context.workspace.client, context.workspace.id, jobId, b, { action: 'approve' })
    expect((await jobWith(context.workspace.client, jobId)).result).toEqual({ arrived: ['b'] })
    const { body } = await context.workspace.client.get<{ data: InterventionView[] }>(
      `/v1/interventions?job_id=${jobId}`,
    )
    expect(body.data.map(({ node_id, status }) => `${node_id} ${status}`).sort()).toEqual(['a cancelled', 'b decided'])
  })
})

describe('the evidence record', () => {
  test('keeps and hashes what the person saw, with the decider and the time', async () => {
    const jobId = await startRun(
      context.workspace.client,
      approval({ title: 'Pay?', description: 'All of it', context: { sum: 5 } }),
    )
    const id = await onlyQuestion(jobId)
    await answer(context.workspace.client, context.workspace.id, jobId, id, { action: 'approve' })
    await jobWith(context.workspace.client, jobId)
    const { body } = await context.workspace.client.get<InterventionView>(`/v1/interventions/${id}`)
    expect(body).toMatchObject({
      status: 'decided',
      decision: { action: 'approve', by: 'user:ann' },
      context: { sum: 5 },
    })
    expect(body.shown_hash).toMatch(/^[0-9a-f]{64}$/)
    const audited = await context.stack.database.db.inWorkspace(context.workspace.id, tx =>
      select(
        tx,
        pick(auditLogTable, 'actor', 'details'),
        `select actor, details from audit_log where details::text like '%' || $1 || '%'`,
        [body.shown_hash],
      ),
    )
    expect(audited).toMatchObject([{ actor: 'user:ann' }])
  })

  test('the list contains the interventions that are waiting for a person', async () => {
    const jobId = await startRun(context.workspace.client, approval({ assignees: ['user:only-her'] }))
    await onlyQuestion(jobId)
    const { body } = await context.workspace.client.get<{ data: InterventionView[]; pagination: object }>(
      '/v1/interventions?status=open&assignee=user:only-her',
    )
    expect(body.data).toMatchObject([{ job_id: jobId, status: 'open' }])
    expect(body.pagination).toEqual({ limit: 50, offset: 0, total: 1, has_more: false })
  })
})
