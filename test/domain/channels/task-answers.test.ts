import { describeQuestion, readAnswer } from '../../../domain/channels/email/task-answers.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'

const ask = (...questions: { id: string; text: string; options?: string[] }[]) => ({
  kind: 'questions' as const,
  title: questions[0]?.text ?? '',
  questions,
})
const fill = (properties: JsonObject, required: string[] = []) => ({
  kind: 'form' as const,
  title: 'Your claim',
  form: { type: 'object', properties, required },
})
const gate = ask({ id: 'gate', text: 'Which gate?' })
const choice = ask({ id: 'gate', text: 'Which gate?', options: ['North', 'South gate'] })
const several = ask(
  { id: 'gate', text: 'Which gate?' },
  { id: 'day', text: 'Which day?', options: ['Monday', 'Friday'] },
)
const claim = fill(
  {
    policy: { type: 'string', title: 'Policy' },
    amount: { type: 'number' },
    is_urgent: { type: 'boolean', title: 'Urgent?' },
    photo: { type: 'string', format: 'file' },
  },
  ['policy', 'amount'],
)

const answers = (values: Record<string, string>) => ({ action: 'answer_questions', answers: values })

test.each([
  [
    'a text',
    gate,
    'The north gate,\nnear the tower.\n\n-- \nCleo',
    answers({ gate: 'The north gate,\nnear the tower.' }),
  ],
  ['an option', choice, 'south gate.', answers({ gate: 'South gate' })],
  ['an option above a greeting', choice, 'North\n\nBest wishes\nCleo', answers({ gate: 'North' })],
  [
    'numbered lines',
    several,
    'Hello,\n2) friday\n1. North\nor west',
    answers({ gate: 'North\nor west', day: 'Friday' }),
  ],
  ['an approval', { kind: 'approval' as const, title: 'Cancel?' }, 'Approve', { action: 'approve' }],
  [
    'a form',
    claim,
    '1. P-1234\n2. 900.5\n3. Yes',
    { action: 'submit_input', data: { policy: 'P-1234', amount: 900.5, is_urgent: true } },
  ],
  [
    'a form with one field',
    fill({ name: { type: 'string' } }),
    'Cleo',
    { action: 'submit_input', data: { name: 'Cleo' } },
  ],
])('a mail answers a task with %s', (_case, task, text, answer) => {
  expect(readAnswer(task, text)).toEqual(answer)
})

test.each([
  ['another option', choice, 'West'],
  ['a missing number', several, '1. North'],
  ['no numbers', claim, 'P-1234 and 900'],
  ['a text instead of a number', claim, '1. P-1234\n2. much'],
  ['only a signature', gate, '-- \nCleo'],
])('a mail with %s is no answer, and the reply says what to write', (_case, task, text) => {
  const read = readAnswer(task, text)
  const instruction = describeQuestion(task).at(-1) ?? ''
  expect(instruction).toContain('Reply to this mail')
  expect(read).toEqual({ problem: expect.stringContaining(instruction) })
})

test('a question lists its options and fields', () => {
  expect(describeQuestion(choice).join('\n')).toBe(
    '\n\n\nWhich gate?\nReply to this mail with one of these answers:\n- North\n- South gate',
  )
  expect(describeQuestion(claim)).toContain('1. Policy\n2. amount\n3. Urgent? (yes, no) (optional)')
})

test('a form that needs more than text says who continues', () => {
  const upload = fill({ photo: { type: 'string', format: 'file' } }, ['photo'])
  expect(describeQuestion(upload).at(-1)).toContain('a person will continue')
  expect(readAnswer(upload, 'Here it is.')).toEqual({ problem: describeQuestion(upload).at(-1) })
})
