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
        diagnosis: { cause: 'running', message: 'Running', action: 'x', evidence: {}, missing: [], ...diagnosis },
      },
    ],
  })
const waiting = { status: 'waiting' as const }

const CASES: [Cause, string, RunFacts, string][] = [
  ['done', 'a completed run', facts({ job: { status: 'completed', finished_at: AT } }), 'Completed'],
  [
    'done',
    'a failed run, although Temporal is down',
    facts({ job: { status: 'failed', failed_reason: 'pay: no' }, run: 'unavailable' }),
    'Failed: pay: no',
  ],
  ['component_away', 'no response from Temporal', facts({ run: 'unavailable' }), 'Temporal did not respond in time'],
  ['not_started', 'a run missing in Temporal', facts({ run: 'absent', job: { status: 'pending' } }), 'Accepted but'],
  [
    'no_worker',
    'a waiting task in an unpolled queue',
    facts({ last_poll: null, run: open({ task: { is_started: false, attempt: 1, since: EARLIER } }) }),
    'No worker is polling the task queue',
  ],
  [
    'no_worker',
    'a due attempt and a last poll long ago',
    facts({ last_poll: EARLIER, run: open({ activities: [activity({ next_attempt_at: EARLIER })] }) }),
    'No worker is polling the task queue',
  ],
  [
    'no_worker',
    'a run pinned to a build without workers',
    facts({
      last_poll: null,
      build: { id: 'a', is_pinned: true },
      run: open({ task: { is_started: false, attempt: 1, since: EARLIER } }),
    }),
    'The run is pinned to build a, but no worker with this build is polling the task queue',
  ],
  ['code_mismatch', 'nondeterminism', problem('NON_DETERMINISTIC_ERROR'), "The worker's code is incompatible"],
  [
    'workflow_task_failing',
    'a failing workflow task',
    problem('WORKFLOW_WORKER_UNHANDLED_FAILURE'),
    'The workflow task keeps failing: no node type x',
  ],
  [
    'history_full',
    'many events',
    facts({ run: open({ history: { events: 45_000, bytes: 9_000_000, max_events: 40_000, max_bytes: 4e7 } }) }),
    'The run history is nearly full: 45000 events, 9 MB',
  ],
  [
    'child_stuck',
    'a child run in retry, although a person is also asked',
    child({ cause: 'retrying', message: 'fetch failed' }, { job: waiting, questions: [question()] }),
    'Child run inner is stuck: fetch failed',
  ],
  [
    'heartbeat_lost',
    'a lost worker before other retries',
    facts({ run: open({ activities: [activity({ key: 'other' }), activity({ is_heartbeat_lost: true })] }) }),
    'The worker running fetch was lost in attempt 2',
  ],
  ['component_away', 'a missing search index', failing('SEARCH_UNAVAILABLE'), 'fetch needs elasticsearch'],
  ['rate_limited', 'a provider rate limit', failing('MODEL_RATE_LIMIT'), 'fetch exceeded a rate limit'],
  ['rate_limited', 'a rate limit of another service', failing('HTTP_429'), 'fetch exceeded a rate limit'],
  ['workspace_busy', 'a run without a slot', timer('the workspace is busy'), 'The workspace has reached its limit'],
  ['workspace_busy', 'a child run that starts later', timer('the workspace starts many runs: sub'), 'The workspace'],
  [
    'retrying',
    'a failed attempt',
    facts({ run: open({ activities: [activity()] }) }),
    'fetch failed 2 times and will be retried: HTTP_500: the server failed. Next attempt: 2026-02-01 12:00:00',
  ],
  ['retrying', 'a first attempt that failed locally', timer('retry: fetch'), 'fetch failed once and will be retried'],
  [
    'paused',
    'a pause, although a person is asked',
    facts({ job: { status: 'paused' }, pause: { by: 'user:ann', at: EARLIER }, questions: [question()] }),
    'Paused',
  ],
  [
    'budget_reached',
    'a used budget',
    facts({ job: waiting, questions: [question({ node_id: 'budget', context: { spent_usd: 2, budget_usd: 1 } })] }),
    'Waiting for group:finance at budget',
  ],
  [
    'waits_for_people',
    'several people, the first one first',
    facts({ job: waiting, questions: [question({ interventionId: 'j', opened_at: AT }), question({ due_at: LATER })] }),
    'Waiting for group:finance at review: Pay? (due 2026-02-01 12:00:00). Other open tasks: 1',
  ],
  [
    'waits_for_people',
    'a question of a child run',
    child({ cause: 'waits_for_people', message: 'Waiting for bob' }, { job: waiting }),
    'Child run inner: Waiting for bob',
  ],
  [
    'waits_for_event',
    'an event with a limit',
    facts({ job: waiting, waits: [{ key: 'paid', since: EARLIER, event: 'payment', deadline: LATER }] }),
    'Waiting at paid for the event payment until 2026-02-01 12:00:00',
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
    'Waiting at soon until 2026-02-01 12:00:00',
  ],
  [
    'waits_for_turn',
    'a thread',
    facts({ job: { status: 'pending', has_turn: true, current_step: 'waits for other' } }),
    'Waiting for other in the same thread to end',
  ],
  [
    'running',
    'an attempt in progress, although a person is asked',
    facts({
      questions: [question()],
      run: open({ activities: [activity({ is_started: true, attempt: 1, last_error: undefined })] }),
    }),
    'Running fetch',
  ],
  ['running', 'a queued task', facts({ run: open({ task: { is_started: false, attempt: 1, since: AT } }) }), 'Queued'],
  ['running', 'a working child run', child({}), 'Running'],
  [
    'unknown',
    'a queued task with unknown workers',
    facts({
      last_poll: undefined,
      missing: ['workers'],
      run: open({ task: { is_started: false, attempt: 1, since: AT } }),
    }),
    'No cause found',
  ],
  [
    'unknown',
    'a wait with an unrecorded end',
    facts({ job: waiting, waits: [{ key: 'w', since: EARLIER }] }),
    'No cause found',
  ],
]

test.each(CASES)('the cause is %s: %s', (cause, _, found, message) => {
  expect(diagnose(found, AT)).toMatchObject({
    cause,
    message: expect.stringContaining(message),
    missing: found.missing,
  })
})

test('every cause is produced', () => {
  expect(new Set(CASES.map(([cause]) => cause))).toEqual(new Set(CAUSES))
})

test('the runbooks list every cause, in the same order', () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../../docs/operate/runbooks/index.md'), 'utf8')
  const [, section = ''] = runbook.split('## Causes')
  const [table = ''] = section.split('\n## ')
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, cause]) => cause)).toEqual([...CAUSES])
})

test('a question past its due time is overdue', () => {
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
    'omits the people behind the run',
    { assignees: ['user:ann', 'user:bob'], excluded: ['user:ann'] },
    'Answer it, or ask user:bob to answer',
  ],
  [
    'names nobody behind the run',
    { assignees: ['user:ann'], excluded: ['user:ann'] },
    'Reassign the task: all its assignees are behind the run and may not decide',
  ],
  ['waits for visitors', { assignees: ['share:1'] }, 'Wait for the visitor, or reassign the task'],
  [
    'expects no answer from triggers',
    { assignees: ['trigger:nightly'] },
    'Reassign the task: triggers cannot answer tasks',
  ],
  ['lets anyone answer', { assignees: [] }, 'Answer it. Anyone may answer'],
  [
    'lets anyone else answer',
    { assignees: [], excluded: ['user:ann'] },
    'Answer it. Anyone who is not behind the run may answer',
  ],
])('the recommended action for an open question %s', (_, fields, action) => {
  const found = diagnose(facts({ job: waiting, questions: [question(fields)] }), AT)
  expect(found).toMatchObject({ action })
  if (fields.excluded?.length && action.startsWith('Answer it, or')) expect(found.message).not.toContain('user:ann')
})
