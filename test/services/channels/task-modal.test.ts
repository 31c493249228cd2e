import {
  canAnswerInModal,
  placeProblems,
  readSubmission,
  renderTaskModal,
} from '../../../services/channels/slack/task-modal.ts'
import type { InterventionRecord } from '../../../data/people/interventions-store.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'

/** The forms that Slack shows, and the answers that are read from them. */

const toolApproval = (properties: JsonObject, proposed: JsonObject, required: string[] = []) =>
  ({
    id: 'task',
    kind: 'approval',
    title: 'Send it?',
    node_key: 'step-1/send/approval',
    form: { type: 'object', properties, required },
    questions: null,
    context: { arguments: proposed },
    shown_hash: '0'.repeat(64),
  }) as unknown as InterventionRecord

const text = (value: string | null) => ({ value })
const choice = (value: string | null) => ({ selected_option: value === null ? null : { value } })

test('an approval without a change sends no arguments', () => {
  const task = toolApproval(
    { to: { type: 'string' }, copies: { type: 'integer' }, urgent: { type: 'boolean' }, note: { type: 'string' } },
    { to: 'ann', copies: 2, note: '' },
  )
  const values = {
    to: { to: text('ann') },
    copies: { copies: text('2') },
    urgent: { urgent: choice(null) },
    note: { note: text(null) },
  }
  expect(readSubmission(task, values)).toEqual({ action: 'approve' })
})

test('a changed argument keeps the others, and an absent one stays absent', () => {
  const task = toolApproval(
    { to: { type: 'string' }, urgent: { type: 'boolean' }, zone: { type: 'string', default: 'UTC' } },
    { to: 'ann' },
  )
  const values = { to: { to: text('bob') }, urgent: { urgent: choice(null) }, zone: { zone: text('UTC') } }
  expect(readSubmission(task, values)).toEqual({ action: 'approve', data: { to: 'bob' } })
  const urgent = { ...values, urgent: { urgent: choice('false') } }
  expect(readSubmission(task, urgent)).toEqual({ action: 'approve', data: { to: 'bob', urgent: false } })
})

test.each<[string, JsonObject, JsonObject]>([
  ['an argument that the form does not list', { a: { type: 'string' } }, { a: 'x', extra: 1 }],
  ['null', { a: { type: 'string' } }, { a: null }],
  ['an object', { a: { type: 'object' } }, { a: {} }],
  ['a date in another format', { a: { type: 'string', format: 'date' } }, { a: '2026-1-5' }],
  ['a number in scientific notation', { a: { type: 'number' } }, { a: 1e21 }],
  ['a value outside of its options', { a: { type: 'string', enum: ['x'] } }, { a: 'y' }],
  ['a long text', { a: { type: 'string' } }, { a: 'x'.repeat(3_001) }],
])('a proposal with %s cannot be edited in Slack', (_name, properties, proposed) => {
  expect(canAnswerInModal(toolApproval(properties, proposed))).toBe(false)
})

test('a text with several lines is edited in several lines', () => {
  const { blocks } = renderTaskModal(toolApproval({ a: { type: 'string', maxLength: 100 } }, { a: 'one\ntwo' }), 'D01')
  expect(blocks[0]).toMatchObject({ element: { type: 'plain_text_input', multiline: true, initial_value: 'one\ntwo' } })
})

test('problems are placed at their fields, also at fields with the names of their parents', () => {
  const task = toolApproval({ data: { type: 'string' }, amount: { type: 'integer' } }, {})
  const problems = [{ pointer: '/input/data/amount', message: 'must be at least 1' }]
  expect(placeProblems(task, problems)).toEqual({ amount: 'must be at least 1' })
})

test('a task without a title has the name of its node as the title of the modal', () => {
  const task = { ...toolApproval({ a: { type: 'string' } }, {}), title: ' ', node_id: 'review' }
  expect(renderTaskModal(task, 'D01').title.text).toBe('review')
})
