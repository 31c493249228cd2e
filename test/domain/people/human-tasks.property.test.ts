import fc from 'fast-check'
import { evaluateCommand } from '../../../domain/people/evaluate-command.ts'
import { escalate, exclude, type TaskCommand, union } from '../../../domain/people/handling.ts'
import {
  type Answerer,
  countApprovals,
  evaluateAnswer,
  type OpenIntervention,
} from '../../../domain/people/answering.ts'
import type { Answer, InterventionChange } from '../../../domain/people/intervention.ts'
import { mergeInterventionChanges } from '../../../services/people/intervention-changes.ts'
import { buildIntervention } from '../../support/people/interventions.ts'

const NAMES = ['user:ann', 'user:bob', 'user:cy', 'user:dee', 'user:eve']
const GROUP = 'group:finance'
/** Ann and Cy are in the group, Bob also answers with his own key, and Fay and Cy may be substitutes for others. */
const PEOPLE: Answerer[] = [
  ...NAMES.map(actor => ({
    actor,
    people: [actor],
    groups: actor === 'user:ann' || actor === 'user:cy' ? [GROUP] : [],
  })),
  { actor: 'key:bot', person: 'user:bob', people: ['user:bob', 'key:bot'], groups: [GROUP] },
  { actor: 'user:fay', people: ['user:fay'], groups: [], stands_in_for: ['user:ann', 'user:bob'] },
  { actor: 'user:cy', people: ['user:cy'], groups: [GROUP], stands_in_for: ['user:dee'] },
]

type Step =
  | { by: Answerer; command: TaskCommand }
  | { by: Answerer; answer: Answer['action'] }
  | { escalateTo: string[] }
  | { joins: string[] }

const name = fc.constantFrom(...NAMES)
const assignees = fc.uniqueArray(fc.constantFrom(...NAMES, GROUP), { minLength: 1, maxLength: 4 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    by: fc.constantFrom(...PEOPLE),
    command: fc.oneof(
      fc.constant<TaskCommand>({ type: 'claim' }),
      fc.constant<TaskCommand>({ type: 'release' }),
      assignees.map((to): TaskCommand => ({ type: 'reassign', to })),
      name.map((to): TaskCommand => ({ type: 'delegate', to })),
    ),
  }),
  fc.record({
    by: fc.constantFrom(...PEOPLE),
    answer: fc.constantFrom<Answer['action']>('approve', 'approve', 'approve', 'reject'),
  }),
  assignees.map((escalateTo): Step => ({ escalateTo })),
)
/** The same steps, while people are added to the excluded people. */
const stepOrJoin = fc.oneof(
  { weight: 6, arbitrary: step },
  { weight: 1, arbitrary: name.map((joining): Step => ({ joins: [joining] })) },
)
const toPerson = ({ actor, person = actor }: Answerer) => person

/** Plays the steps as a run would. Returns the state after each step, and the changes. */
function play(first: OpenIntervention, steps: Step[]) {
  const states = [first]
  const changes: InterventionChange[] = [{ change: 'opened', intervention: first.intervention }]
  const { id } = first.intervention
  for (const [i, one] of steps.entries()) {
    const before = states.at(-1) as OpenIntervention
    const at = new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString()
    const after = { ...before }
    if ('answer' in one) {
      const verdict = evaluateAnswer(before, { action: one.answer }, one.by, at)
      if (verdict.type === 'counted') {
        after.votes = [...before.votes, verdict.vote]
        if (verdict.decided) after.decision = verdict.vote
      }
    } else if ('joins' in one) {
      const { assignees: who, excluded: former = [] } = before.intervention
      if (before.decision || former.includes(one.joins[0] ?? '')) continue
      const excluded = union(former, one.joins)
      after.intervention = { ...before.intervention, excluded }
      after.handling = exclude(who, before.handling, excluded).handling
      changes.push({ change: 'excluded', id, at, assignees: who, handling: after.handling, excluded })
    } else {
      const verdict =
        'command' in one
          ? evaluateCommand(before, one.command, one.by, at)
          : before.decision
            ? { type: 'unchanged' as const }
            : {
                type: 'changed' as const,
                change: 'escalated' as const,
                ...escalate(before.intervention.assignees, before.handling, one.escalateTo),
              }
      if (verdict.type === 'changed') {
        const { change, assignees: who, handling } = verdict
        after.intervention = { ...before.intervention, assignees: who }
        after.handling = handling
        changes.push({ change, id, at, assignees: who, handling })
      }
    }
    states.push(after)
  }
  return { states, changes, last: states.at(-1) as OpenIntervention }
}

/** At least two people are named, and the quorum is reachable. Both are checked when a pathway is saved. */
const scenario = fc.record({
  quorum: fc.integer({ min: 1, max: 3 }),
  excluded: fc.option(name, { nil: undefined }),
  steps: fc.array(step, { maxLength: 25 }),
  seed: fc.infiniteStream(fc.nat()),
})
const open = (quorum: number, excluded?: string): OpenIntervention => ({
  intervention: buildIntervention({
    quorum,
    excluded: excluded === undefined ? undefined : [excluded],
    assignees: [...NAMES],
  }),
  votes: [],
})

test('four eyes, quorum and claim rules hold for any order of claims, releases, delegations, reassignments and answers', () => {
  fc.assert(
    fc.property(scenario, ({ quorum, excluded, steps }) => {
      const { states, last } = play(open(quorum, excluded), steps)
      const people = last.votes.map(vote => vote.person ?? vote.by)
      expect(people).not.toContain(excluded)
      expect(new Set(people).size).toBe(people.length)
      // A right to answer is used once, either by the person or by their substitute.
      const seats = last.votes.map(vote => vote.on_behalf_of ?? vote.person ?? vote.by)
      expect(seats).not.toContain(excluded)
      expect(new Set(seats).size).toBe(seats.length)
      if (last.decision?.action === 'approve') expect(people).toHaveLength(quorum)
      for (const [i, before] of states.slice(0, -1).entries()) {
        const after = states[i + 1] as OpenIntervention
        const [vote] = after.votes.slice(before.votes.length)
        const { claim, delegations = [], revision = 0 } = before.handling ?? {}
        if (vote) {
          const person = vote.person ?? vote.by
          if (claim) expect(person).toBe(claim.person ?? claim.by)
          expect(delegations.map(({ from }) => from)).not.toContain(vote.on_behalf_of ?? person)
        }
        if (after.handling !== before.handling) expect(after.handling?.revision).toBe(revision + 1)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('people who become involved in a run cannot decide afterwards, whatever they did before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(stepOrJoin, { maxLength: 25 }), (quorum, steps) => {
      const { states, last } = play(open(quorum, 'user:eve'), steps)
      for (const [i, before] of states.slice(0, -1).entries()) {
        const [vote] = (states[i + 1] as OpenIntervention).votes.slice(before.votes.length)
        const names = vote ? [vote.by, vote.person ?? vote.by, vote.on_behalf_of ?? vote.by] : []
        for (const excluded of before.intervention.excluded ?? []) expect(names).not.toContain(excluded)
      }
      const { excluded, quorum: needed } = last.intervention
      const approvals = countApprovals(last.votes, excluded)
      expect(approvals >= needed).toBe(last.decision?.action === 'approve')
      const { claim } = last.handling ?? {}
      if (claim) expect(excluded).not.toContain(claim.person ?? claim.by)
    }),
    { numRuns: 2_000 },
  )
})

test('a reassignment or delegation leaves enough people for the quorum', () => {
  fc.assert(
    fc.property(scenario, ({ quorum, excluded, steps }) => {
      const { last } = play(open(quorum, excluded), steps)
      if (last.decision || last.intervention.assignees.includes(GROUP)) return
      const { last: end } = play(
        { ...last, handling: last.handling && { ...last.handling, claim: undefined } },
        NAMES.map(actor => ({ by: { actor, people: [actor], groups: [] }, answer: 'approve' as const })),
      )
      expect(end.decision?.action).toBe('approve')
    }),
    { numRuns: 2_000 },
  )
})

test('the record reaches the same final state for any order and grouping of changes', () => {
  fc.assert(
    fc.property(scenario, fc.array(stepOrJoin, { maxLength: 25 }), ({ quorum, excluded, seed }, steps) => {
      const { changes, last } = play(open(quorum, excluded), steps)
      const keyed = changes.map(change => ({ change, key: seed.next().value as number }))
      const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ change }) => change)
      const [patch] = mergeInterventionChanges([...shuffled, ...shuffled.slice(0, 3)]).patches
      expect(patch?.handling).toEqual(last.handling)
      expect(new Set(patch?.assignees)).toEqual(new Set(last.intervention.assignees))
      expect(new Set(patch?.excluded)).toEqual(new Set(last.intervention.excluded))
    }),
    { numRuns: 500 },
  )
})

test("a claim treats a substitute's answer as an answer from the represented person", () => {
  const bot = PEOPLE.find(({ actor }) => actor === 'key:bot') as Answerer
  const asked: OpenIntervention = {
    intervention: buildIntervention({ quorum: 2, assignees: [GROUP, 'user:bob', 'user:ann'] }),
    votes: [],
  }
  const { last } = play(asked, [{ by: bot, command: { type: 'claim' } }])
  expect(toPerson(bot)).toBe('user:bob')
  expect(
    evaluateAnswer(last, { action: 'approve' }, { actor: 'user:bob', people: ['user:bob'], groups: [] }, 'now').type,
  ).toBe('counted')
  expect(
    evaluateAnswer(last, { action: 'approve' }, { actor: 'user:ann', people: ['user:ann'], groups: [] }, 'now'),
  ).toMatchObject({
    type: 'refused',
    reason: 'CLAIMED',
    message: expect.stringContaining('key:bot'),
  })
})
