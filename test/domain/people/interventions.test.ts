import {
  evaluateAnswer,
  type OpenIntervention,
  buildDecisionOutput,
  buildReply,
  isSameAnswer,
  describeWaitingFor,
} from '../../../domain/people/answering.ts'
import { endClaim, escalate } from '../../../domain/people/handling.ts'
import type { Answer, Intervention } from '../../../domain/people/intervention.ts'

const AT = '2024-01-01T00:00:00.000Z'
const LATER = '2024-01-02T00:00:00.000Z'
const caller = (actor: string, ...groups: string[]) => ({ actor, people: [actor], groups })
const ann = caller('user:ann', 'group:finance')
const bob = caller('user:bob')
const cleo = caller('user:cleo', 'group:legal', 'group:finance')

function open(more: Partial<Intervention> = {}): OpenIntervention {
  const intervention: Intervention = {
    id: 'i',
    node_key: 'review',
    node_id: 'review',
    kind: 'approval',
    title: 'Pay?',
    assignees: [],
    quorum: 1,
    opened_at: AT,
    ...more,
  }
  return { intervention, votes: [] }
}

/** Processes an answer as the run would. */
function answer(asked: OpenIntervention, sentAnswer: Answer, by: typeof ann & { person?: string }, at = AT) {
  const verdict = evaluateAnswer(asked, sentAnswer, by, at)
  if (verdict.type === 'counted') {
    asked.votes.push(verdict.vote)
    if (verdict.decided) Object.assign(asked, { decision: verdict.vote, closed: 'decided' })
  }
  return verdict
}

const refused = (message: string, reason = 'INVALID_INPUT') => ({
  type: 'refused',
  reason,
  message: expect.stringContaining(message),
})

describe('the five actions', () => {
  const questions = [
    { id: 'why', text: 'Why?' },
    { id: 'who', text: 'Who?', options: ['me', 'you'] },
  ]
  const ask = { kind: 'questions' as const, questions }

  test.each<[string, Partial<Intervention>, Answer]>([
    ['approve', {}, { action: 'approve' }],
    ['approve with more', {}, { action: 'approve', comment: 'fine', data: { total: 7 } }],
    ['reject', {}, { action: 'reject', comment: 'no' }],
    ['submit_input', { kind: 'form' }, { action: 'submit_input', data: { a: 1 } }],
    ['submit_input of null', { kind: 'form' }, { action: 'submit_input', data: null }],
    ['answer_questions', ask, { action: 'answer_questions', answers: { why: '', who: 'me' } }],
    ['decline_questions', ask, { action: 'decline_questions', comment: 'ask someone else' }],
  ])('%s decides', (_name, asked, sentAnswer) => {
    expect(answer(open(asked), sentAnswer, ann)).toEqual({
      type: 'counted',
      vote: { ...sentAnswer, by: 'user:ann', at: AT },
      decided: true,
    })
  })

  test.each<[string, Partial<Intervention>, Answer, string]>([
    [
      'an approval',
      {},
      { action: 'submit_input', data: 1 },
      'submit_input is not a valid action for an approval: the action must be approve or reject',
    ],
    ['a form', { kind: 'form' }, { action: 'approve' }, 'approve is not a valid action for a form'],
    ['a form', { kind: 'form' }, { action: 'submit_input' }, 'submit_input requires data'],
    ['questions', ask, { action: 'reject' }, 'reject is not a valid action for questions'],
    ['questions', ask, { action: 'answer_questions' }, 'question "why" must have an answer'],
    ['questions', ask, { action: 'answer_questions', answers: { why: 'x' } }, 'question "who" must have an answer'],
    [
      'questions',
      ask,
      { action: 'answer_questions', answers: { why: 'x', who: 'they' } },
      'the answer "they" must be an option of question "who"',
    ],
    [
      'questions',
      ask,
      { action: 'answer_questions', answers: { why: 'x', who: 'me', more: 'y' } },
      'there is no question "more"',
    ],
    [
      'questions',
      ask,
      { action: 'answer_questions', answers: { why: 'x', who: 'me', constructor: 'y' } },
      'there is no question "constructor"',
    ],
    [
      'questions',
      ask,
      { action: 'decline_questions', answers: { why: 'x' } },
      'answers are only allowed with answer_questions',
    ],
    ['an approval', {}, { action: 'approve', answers: { a: 'b' } }, 'answers are only allowed with answer_questions'],
  ])('an invalid answer to %s is rejected', (_name, asked, sentAnswer, message) => {
    expect(answer(open(asked), sentAnswer, ann)).toEqual({
      ...refused(message),
      pointer: expect.stringMatching(/^.input./),
    })
  })

  test.each<[string, Partial<Intervention>, Answer]>([
    ['/input/action', {}, { action: 'submit_input', data: 1 }],
    ['/input/data', { kind: 'form' }, { action: 'submit_input' }],
    ['/input/answers', {}, { action: 'approve', answers: { a: 'b' } }],
    ['/input/answers/why', ask, { action: 'answer_questions' }],
    ['/input/answers/who', ask, { action: 'answer_questions', answers: { why: 'x', who: 'they' } }],
    ['/input/answers/a~1b', ask, { action: 'answer_questions', answers: { 'a/b': 'x' } }],
  ])('the refusal contains a pointer to %s', (pointer, asked, sentAnswer) => {
    expect(answer(open(asked), sentAnswer, ann)).toMatchObject({ pointer })
  })

  test('a question may have the same name as an object property', () => {
    const asked = open({ kind: 'questions', questions: [{ id: 'constructor', text: '?' }] })
    expect(answer(asked, { action: 'answer_questions', answers: {} }, ann)).toEqual({
      ...refused('question "constructor" must have an answer'),
      pointer: '/input/answers/constructor',
    })
  })
})

describe('eligible people', () => {
  test('are the assignees, by name or group', () => {
    const asked = { assignees: ['group:finance', 'user:bob'] }
    expect(answer(open(asked), { action: 'approve' }, ann).type).toBe('counted')
    expect(answer(open(asked), { action: 'approve' }, bob).type).toBe('counted')
    expect(answer(open(asked), { action: 'approve' }, caller('user:dora', 'group:sales'))).toEqual(
      refused('user:dora is not an assignee: group:finance, user:bob', 'NOT_ASSIGNED'),
    )
    expect(answer(open(), { action: 'approve' }, caller('user:dora')).type).toBe('counted')
  })

  test('are the only people who learn whether an answer is valid', () => {
    const asked = open({ assignees: ['group:finance'] })
    expect(answer(asked, { action: 'submit_input' }, caller('user:dora'))).toMatchObject({ reason: 'NOT_ASSIGNED' })
  })

  test('do not include the person who started the run, if that person is excluded', () => {
    const asked = open({ excluded: ['user:ann'], assignees: ['group:finance'] })
    expect(answer(asked, { action: 'approve' }, ann)).toEqual(
      refused('user:ann is one of the people behind this run and may not decide here', 'NOT_ASSIGNED'),
    )
    expect(answer(asked, { action: 'approve' }, cleo).type).toBe('counted')
  })

  test('do not include another key of the person who started the run', () => {
    const asked = open({ excluded: ['user:ann'] })
    const robot = { ...caller('key:robot'), person: 'user:ann', people: ['user:ann', 'key:robot'] }
    expect(answer(asked, { action: 'approve' }, robot)).toEqual(
      refused('user:ann is one of the people behind this run and may not decide here', 'NOT_ASSIGNED'),
    )
    expect(
      answer(asked, { action: 'approve' }, { ...robot, person: 'user:bob', people: ['user:bob', 'key:robot'] }).type,
    ).toBe('counted')
  })

  test('do not include anyone once the intervention is closed', () => {
    expect(evaluateAnswer(undefined, { action: 'approve' }, ann, AT)).toEqual(
      refused('this run has no open intervention with this id'),
    )
  })
})

describe('after a decision', () => {
  test('the same answer by the same person gets the same reply', () => {
    const asked = open()
    const sentAnswer: Answer = { action: 'approve', comment: 'ok', data: { a: 1, b: [2] } }
    answer(asked, sentAnswer, ann)
    const again = answer(asked, { data: { b: [2], a: 1 }, comment: 'ok', action: 'approve' }, ann, LATER)
    expect(again).toEqual({ type: 'repeated', vote: { ...sentAnswer, by: 'user:ann', at: AT } })
    expect(asked.votes).toHaveLength(1)
    expect(again.type === 'repeated' && buildReply('job', asked, again.vote)).toEqual({
      job_id: 'job',
      interventionId: 'i',
      action: 'approve',
      by: 'user:ann',
      at: AT,
      decided: true,
      approvals: 1,
      quorum: 1,
    })
  })

  test.each<[string, Answer, typeof ann]>([
    ['another answer', { action: 'reject' }, ann],
    ['the same answer with another comment', { action: 'approve', comment: 'x' }, ann],
    ['the same answer from another person', { action: 'approve' }, bob],
  ])('%s gets an error with the decider and the time', (_name, sentAnswer, by) => {
    const asked = open()
    answer(asked, { action: 'approve' }, ann)
    expect(answer(asked, sentAnswer, by, LATER)).toEqual(refused(`already decided: approve by user:ann at ${AT}`))
  })

  test('made by timeout or cancel, an answer is too late', () => {
    expect(answer({ ...open(), closed: 'timed_out' }, { action: 'approve' }, ann)).toEqual(
      refused('the intervention timed out before this answer'),
    )
    expect(answer({ ...open(), closed: 'cancelled' }, { action: 'approve' }, ann)).toEqual(
      refused('the intervention is closed'),
    )
  })
})

describe('a quorum', () => {
  test('is reached by the required number of people', () => {
    const asked = open({ quorum: 2 })
    expect(answer(asked, { action: 'approve' }, ann)).toMatchObject({ type: 'counted', decided: false })
    expect(answer(asked, { action: 'approve' }, ann)).toMatchObject({ type: 'repeated' })
    expect(answer(asked, { action: 'approve', comment: 'again' }, ann)).toEqual(
      refused(`user:ann already answered approve at ${AT}`),
    )
    expect(answer(asked, { action: 'reject' }, ann)).toEqual(refused(`user:ann already answered approve at ${AT}`))
    expect(answer(asked, { action: 'approve' }, bob, LATER)).toMatchObject({ type: 'counted', decided: true })
    expect(answer(asked, { action: 'approve' }, cleo)).toEqual(
      refused(`already decided: approve by user:bob at ${LATER}`),
    )
    const [first, second] = asked.votes.map(vote => buildReply('job', asked, vote))
    expect(first).toMatchObject({ by: 'user:ann', decided: false, approvals: 1, quorum: 2 })
    expect(second).toMatchObject({ by: 'user:bob', decided: true, approvals: 2, quorum: 2 })
  })

  test('counts a person once, whatever key the person uses', () => {
    const asked = open({ quorum: 2 })
    const robot = { ...caller('key:robot'), person: 'user:bob', people: ['user:bob', 'key:robot'] }
    expect(answer(asked, { action: 'approve' }, robot)).toMatchObject({ type: 'counted', decided: false })
    expect(answer(asked, { action: 'approve' }, bob)).toMatchObject({ type: 'repeated', vote: { by: 'key:robot' } })
    expect(answer(asked, { action: 'reject' }, bob).type).toBe('refused')
    expect(answer(asked, { action: 'approve' }, ann)).toMatchObject({ type: 'counted', decided: true })
  })

  test('does not override a single rejection', () => {
    const asked = open({ quorum: 3 })
    answer(asked, { action: 'approve' }, ann)
    expect(answer(asked, { action: 'reject' }, bob)).toMatchObject({ type: 'counted', decided: true })
    expect(asked.votes.map(vote => buildReply('job', asked, vote))).toMatchObject([
      { action: 'approve', decided: false, approvals: 1 },
      { action: 'reject', decided: true, approvals: 1 },
    ])
  })
})

test('answers with the same content count as equal', () => {
  expect(isSameAnswer({ action: 'approve' }, { action: 'approve', comment: undefined })).toBe(true)
  expect(isSameAnswer({ action: 'approve', data: [1, 2] }, { action: 'approve', data: [2, 1] })).toBe(false)
  expect(isSameAnswer({ action: 'approve', data: 1 }, { action: 'approve', data: '1' })).toBe(false)
})

test('nodes after a human node can read the answer', () => {
  const ann = { action: 'approve', by: 'user:ann', at: AT } as const
  expect(buildDecisionOutput(ann, { quorum: 1, votes: [ann] })).toEqual(ann)
  const votes = [ann, { ...ann, by: 'user:bob' }, { ...ann, by: 'user:eve' }]
  expect(buildDecisionOutput({ ...ann, by: 'user:eve' }, { quorum: 2, excluded: ['user:bob'], votes })).toEqual({
    ...ann,
    by: 'user:eve',
    approvers: ['user:ann', 'user:eve'],
  })
  const answered = { action: 'answer_questions', answers: { a: 'b' }, comment: 'c', by: 'x', at: AT } as const
  expect(buildDecisionOutput(answered, { quorum: 1, votes: [answered] })).toEqual({
    action: 'answer_questions',
    answers: { a: 'b' },
    comment: 'c',
    by: 'x',
    at: AT,
  })
})

test('the description of an intervention contains its actions, but not excluded people', () => {
  expect(describeWaitingFor(open({ excluded: ['user:ann'] }))).toEqual({
    interventionId: 'i',
    node_id: 'review',
    kind: 'approval',
    title: 'Pay?',
    assignees: [],
    quorum: 1,
    approvals: 0,
    opened_at: AT,
    actions: ['approve', 'reject'],
  })
})

test('an escalation of a task for everyone notifies people and excludes no one', () => {
  const claim = { by: 'user:ann', at: AT }
  const first = escalate([], { revision: 1, claim, delegations: [] }, ['group:board'])
  expect(first).toEqual({ assignees: [], handling: { revision: 2, delegations: [], notified: ['group:board'] } })
  const second = escalate([], endClaim(first.handling), ['user:cfo', 'group:board'])
  expect(second.handling).toEqual({ revision: 4, delegations: [], notified: ['group:board', 'user:cfo'] })
  const { intervention } = open({ assignees: second.assignees })
  expect(answer({ intervention, votes: [], handling: second.handling }, { action: 'approve' }, bob)).toMatchObject({
    type: 'counted',
    decided: true,
  })
})
