import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { diagnose } from '../../../domain/runs/diagnosis/diagnose.ts'
import { CAUSES, type Cause, type Diagnosis } from '../../../domain/runs/diagnosis/diagnosis.ts'
import type { OpenRun, PendingActivity, RunFacts } from '../../../domain/runs/diagnosis/facts.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'

const AT = '2026-01-31T12:00:00.000Z'
const EARLIER = '2026-01-31T11:00:00.000Z'
const LATER = '2026-02-01T12:00:00.000Z'

const open = (more: Partial<OpenRun> = {}): OpenRun => ({
  history: { events: 10, bytes: 1_000, max_events: 40_000, max_bytes: 40_000_000 },
  activities: [],
  child_count: 0,
  timers: [],
  ...more,
})

const facts = ({
  job,
  ...more
}: Partial<Omit<RunFacts, 'job'>> & { job?: Partial<RunFacts['job']> } = {}): RunFacts => ({
  job: { job_id: 'run', kind: 'pathway', status: 'running', created_at: EARLIER, ...job },
  run: open(),
  questions: [],
  waits: [],
  working: [],
  last_poll: AT,
  children: [],
  missing: [],
  ...more,
})

const activity = (more: Partial<PendingActivity> = {}): PendingActivity => ({
  key: 'fetch',
  is_started: false,
  attempt: 2,
  since: EARLIER,
  last_error: { code: 'HTTP_500', message: 'the server failed' },
  next_attempt_at: LATER,
  ...more,
})

const question = (more: Partial<WaitingFor> = {}): WaitingFor => ({
  interventionId: 'i',
  kind: 'approval',
  title: 'Pay?',
  node_id: 'review',
  actions: ['approve', 'reject'],
  assignees: ['group:finance'],
  quorum: 1,
  approvals: 0,
  opened_at: EARLIER,
  ...more,
})

const failing = (code: string) =>
  facts({ run: open({ activities: [activity({ last_error: { code, message: 'no' } })] }) })
const timer = (summary: string) => facts({ run: open({ timers: [{ summary, since: EARLIER, until: LATER }] }) })
const problem = (cause: string) =>
  facts({ run: open({ problem: { cause, message: 'no node type x', since: EARLIER } }) })
const child = (diagnosis: Partial<Diagnosis>, more: Parameters<typeof facts>[0] = {}) =>
  facts({
    ...more,
    children: [
      {
        job_id: 'inner',
        diagnosis: { cause: 'running', message: 'Works', action: 'x', evidence: {}, missing: [], ...diagnosis },
      },
    ],
  })
const waiting = { status: 'waiting' as const }

const CASES: [Cause, string, RunFacts, string][] = [
  ['done', 'a completed run', facts({ job: { status: 'completed', finished_at: AT } }), 'Completed'],
  [
    'done',
    'a failed run, although Temporal is away',
    facts({ job: { status: 'failed', failed_reason: 'pay: no' }, run: 'unavailable' }),
    'Failed: pay: no',
  ],
  ['component_away', 'no answer of Temporal', facts({ run: 'unavailable' }), 'Temporal did not answer in time'],
  [
    'not_started',
    'a run that Temporal does not have',
    facts({ run: 'absent', job: { status: 'pending' } }),
    'Accepted, and',
  ],
  [
    'no_worker',
    'a task that waits and a queue that is not polled',
    facts({ last_poll: null, run: open({ task: { is_started: false, attempt: 1, since: EARLIER } }) }),
    'No worker polls its queue',
  ],
  [
    'no_worker',
    'an attempt that is due and a last poll long ago',
    facts({ last_poll: EARLIER, run: open({ activities: [activity({ next_attempt_at: EARLIER })] }) }),
    'No worker polls its queue',
  ],
  [
    'no_worker',
    'a run that stays with a build without workers',
    facts({
      last_poll: null,
      build: { id: 'a', is_pinned: true },
      run: open({ task: { is_started: false, attempt: 1, since: EARLIER } }),
    }),
    'It stays with the build a, of which no worker polls its queue',
  ],
  ['code_mismatch', 'nondeterminism', problem('NON_DETERMINISTIC_ERROR'), 'The code of the worker no longer fits'],
  [
    'workflow_task_failing',
    'a workflow task that fails',
    problem('WORKFLOW_WORKER_UNHANDLED_FAILURE'),
    'Its workflow task fails again and again: no node type x',
  ],
  [
    'history_full',
    'many events',
    facts({ run: open({ history: { events: 45_000, bytes: 9_000_000, max_events: 40_000, max_bytes: 4e7 } }) }),
    'Its history is nearly full: 45000 events, 9 MB',
  ],
  [
    'child_stuck',
    'a child in retry, although a person is asked too',
    child({ cause: 'retrying', message: 'fetch failed' }, { job: waiting, questions: [question()] }),
    'Its child run inner is stuck: fetch failed',
  ],
  [
    'heartbeat_lost',
    'a lost worker before other retries',
    facts({ run: open({ activities: [activity({ key: 'other' }), activity({ is_heartbeat_lost: true })] }) }),
    'The worker of fetch was lost in attempt 2',
  ],
  ['component_away', 'a search without its index', failing('SEARCH_UNAVAILABLE'), 'fetch needs elasticsearch'],
  ['rate_limited', 'a rate limit of a provider', failing('MODEL_RATE_LIMIT'), 'fetch is above a rate limit'],
  ['rate_limited', 'a rate limit of another service', failing('HTTP_429'), 'fetch is above a rate limit'],
  [
    'workspace_busy',
    'a run without a slot',
    timer('the workspace is busy'),
    'The workspace has as many steps in progress',
  ],
  ['workspace_busy', 'a child run that starts later', timer('the workspace starts many runs: sub'), 'The workspace'],
  [
    'retrying',
    'an attempt that failed',
    facts({ run: open({ activities: [activity()] }) }),
    'fetch failed 2 times and is tried again: HTTP_500: the server failed; the next attempt is at 2026-02-01 12:00:00',
  ],
  ['retrying', 'a first attempt that failed locally', timer('retry: fetch'), 'fetch failed once and is tried again'],
  [
    'paused',
    'a pause, although a person is asked',
    facts({ job: { status: 'paused' }, pause: { by: 'user:ann', at: EARLIER }, questions: [question()] }),
    'Paused',
  ],
  [
    'budget_reached',
    'a budget that is used',
    facts({ job: waiting, questions: [question({ node_id: 'budget', context: { spent_usd: 2, budget_usd: 1 } })] }),
    'Waits for group:finance at budget',
  ],
  [
    'waits_for_people',
    'several people, the first one first',
    facts({ job: waiting, questions: [question({ interventionId: 'j', opened_at: AT }), question({ due_at: LATER })] }),
    'Waits for group:finance at review: Pay? (due 2026-02-01 12:00:00), and for 1 more answers',
  ],
  [
    'waits_for_people',
    'a question of a child run',
    child({ cause: 'waits_for_people', message: 'Waits for bob' }, { job: waiting }),
    'Its child run inner: Waits for bob',
  ],
  [
    'waits_for_event',
    'an event with a limit',
    facts({ job: waiting, waits: [{ key: 'paid', since: EARLIER, event: 'payment', deadline: LATER }] }),
    'Waits at paid for the event payment until 2026-02-01 12:00:00',
  ],
  [
    'waits_for_time',
    'the wait that ends first',
    facts({
      waits: [
        { key: 'late', since: EARLIER, until: '2026-03-01T12:00:00.000Z' },
        { key: 'soon', since: EARLIER, until: LATER },
      ],
    }),
    'Waits at soon until 2026-02-01 12:00:00',
  ],
  [
    'waits_for_turn',
    'a thread',
    facts({ job: { status: 'pending', has_turn: true, current_step: 'waits for other' } }),
    'Waits for the end of other before it in its thread',
  ],
  [
    'running',
    'an attempt in progress, although a person is asked',
    facts({
      questions: [question()],
      run: open({ activities: [activity({ is_started: true, attempt: 1, last_error: undefined })] }),
    }),
    'Works at fetch',
  ],
  [
    'running',
    'a task that is queued',
    facts({ run: open({ task: { is_started: false, attempt: 1, since: AT } }) }),
    'Queued',
  ],
  ['running', 'a child that works', child({}), 'Works'],
  [
    'unknown',
    'a task that is queued, where the workers are not known',
    facts({
      last_poll: undefined,
      missing: ['workers'],
      run: open({ task: { is_started: false, attempt: 1, since: AT } }),
    }),
    'Nothing was found that it waits for',
  ],
  [
    'unknown',
    'a wait whose end is not recorded',
    facts({ job: waiting, waits: [{ key: 'w', since: EARLIER }] }),
    'Nothing',
  ],
]

test.each(CASES)('the cause is %s: %s', (cause, _, found, message) => {
  expect(diagnose(found, AT)).toMatchObject({
    cause,
    message: expect.stringContaining(message),
    missing: found.missing,
  })
})

test('each cause is produced', () => {
  expect(new Set(CASES.map(([cause]) => cause))).toEqual(new Set(CAUSES))
})

test('the runbook has a row for each cause, in their order', () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  const [, section = ''] = runbook.split('## Why a run is where it is')
  const [table = ''] = section.split('\n## ')
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, cause]) => cause)).toEqual([...CAUSES])
})

test('a question that could not time out is overdue', () => {
  const { evidence } = diagnose(facts({ job: waiting, questions: [question({ due_at: EARLIER })] }), AT)
  expect(evidence).toMatchObject({ intervention_id: 'i', assignees: ['group:finance'], is_overdue: true })
})

test.each<[what: string, question: Parameters<typeof question>[0] & { excluded?: string[] }, action: string]>([
  [
    'names the assignees',
    { assignees: ['user:bob', 'group:finance'] },
    'Answer it, or ask user:bob or group:finance to answer',
  ],
  [
    'leaves out those behind the run',
    { assignees: ['user:ann', 'user:bob'], excluded: ['user:ann'] },
    'Answer it, or ask user:bob to answer',
  ],
  [
    'names nobody who is behind the run',
    { assignees: ['user:ann'], excluded: ['user:ann'] },
    'Assign it to others: everyone it is assigned to is behind the run',
  ],
  ['waits for visitors', { assignees: ['share:1'] }, 'Wait for the visitor, or reassign the task'],
  ['expects nothing of triggers', { assignees: ['trigger:nightly'] }, 'Reassign the task: a trigger answers none'],
  ['lets anyone answer', { assignees: [] }, 'Answer it: anyone may'],
  [
    'lets anyone else answer',
    { assignees: [], excluded: ['user:ann'] },
    'Answer it: anyone who is not behind the run may',
  ],
])('what to do about an open question %s', (_, fields, action) => {
  const found = diagnose(facts({ job: waiting, questions: [question(fields)] }), AT)
  expect(found).toMatchObject({ action })
  if (fields.excluded?.length && action.startsWith('Answer it, or')) expect(found.message).not.toContain('user:ann')
})
