import type { JobKind } from '../../domain/runs/jobs.ts'
import type { Usage } from '../../domain/access/usage.ts'
import type { Tx } from '../shared/database.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { execute, insert, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, list, listTypes, nullable, numeric, pick, text, type Row } from '../shared/table.ts'
import { usageEventsTable } from './tables.ts'
import type { UsageGroup } from '../../domain/access/usage.ts'

/** The usage of one attempt at a step. */
export interface AttemptUsage {
  /** The key of the step. */
  key: string
  attempt: number
  usage: Usage
  /** Defaults to `model`. */
  kind?: 'model' | 'transcription'
  model?: string
  cached_input_tokens?: number
  audio_seconds?: number
}

/** Defines the table `around`: the job and its ancestors. */
const AROUND = `around (job_id, parent_job_id, distance) as (
       select job_id, parent_job_id, 0 from jobs where job_id = $1
       union all
       select jobs.job_id, jobs.parent_job_id, distance + 1
         from around join jobs on jobs.job_id = around.parent_job_id
     )`

/**
 * Adds the usage of an attempt to the ledger and to the totals of the job and its ancestors. Adding the same attempt
 * again has no effect.
 */
export async function addUsage(tx: Tx, jobId: string, spent: AttemptUsage): Promise<void> {
  await Promise.all([lockAround(tx, jobId), addToSums(tx, jobId, spent)])
}

/**
 * Locks the job and then its ancestors, innermost first, so that concurrent writers in one tree do not deadlock. The
 * lock needs its own statement: a locking update would use a snapshot from before the wait.
 */
async function lockAround(tx: Tx, jobId: string): Promise<void> {
  await execute(
    tx,
    `with recursive ${AROUND}
     select jobs.job_id from around join jobs using (job_id) order by distance for no key update of jobs`,
    [jobId],
  )
}

const SPENT = {
  ...pick(usageEventsTable, 'key', 'attempt', 'input_tokens', 'output_tokens', 'usd', 'kind', 'model'),
  ...pick(usageEventsTable, 'cached_input_tokens', 'audio_seconds'),
}

async function addToSums(tx: Tx, jobId: string, spent: AttemptUsage): Promise<void> {
  const { key, attempt, usage, kind = 'model', model = null, cached_input_tokens = 0, audio_seconds = 0 } = spent
  const { input_tokens, output_tokens, usd } = usage
  const tokens = { input_tokens, output_tokens, cached_input_tokens }
  const event: Row<typeof SPENT> = { key, attempt, kind, model, ...tokens, audio_seconds, usd }
  await execute(
    tx,
    `with recursive added as (
       insert into usage_events (job_id, ${list(SPENT)})
       select job_id, ${list(SPENT, 'spent')} from jobs, json_to_record($2::json) as spent (${listTypes(SPENT)})
        where job_id = $1
       on conflict (job_id, key, attempt) do nothing
       returning input_tokens, output_tokens, usd
     ), ${AROUND}
     update jobs
        set usage = jsonb_build_object(
              'input_tokens', (usage->>'input_tokens')::bigint + added.input_tokens,
              'output_tokens', (usage->>'output_tokens')::bigint + added.output_tokens,
              'usd', (usage->>'usd')::numeric + added.usd)
       from added, around where jobs.job_id = around.job_id`,
    [jobId, toStorableJson(event)],
  )
}

/** Adds the usage of an embedding outside jobs. */
export async function addEmbeddingUsage(
  tx: Tx,
  { model, input_tokens, usd }: { model: string; input_tokens: number; usd: number },
): Promise<void> {
  const kind = 'embedding'
  await insert(tx, usageEventsTable, { key: kind, attempt: 1, kind, model, input_tokens, output_tokens: 0, usd })
}

const GROUPS: Record<UsageGroup, string> = {
  day: `to_char(usage_events.at at time zone 'utc', 'YYYY-MM-DD')`,
  kind: 'usage_events.kind',
  model: 'usage_events.model',
  neuron: 'jobs.neuron_id::text',
  pathway: 'jobs.pathway_id::text',
  job: 'jobs.root_job_id',
}

/** Groups identified by resource ids. */
const NAMED = new Set<UsageGroup>(['neuron', 'pathway'])
const SLUG = `(select slug from resources
  where id = sums."group"::uuid and ($3::uuid[] is null or brain_id is null or brain_id = any($3)))`

const TOTAL = {
  calls: computed(bigint(), 'count(*)'),
  input_tokens: computed(numeric(), 'coalesce(sum(input_tokens), 0)'),
  output_tokens: computed(numeric(), 'coalesce(sum(output_tokens), 0)'),
  cached_input_tokens: computed(numeric(), 'coalesce(sum(cached_input_tokens), 0)'),
  audio_seconds: computed(numeric(), 'coalesce(sum(audio_seconds), 0)'),
  usd: computed(numeric(), 'coalesce(sum(usd), 0)'),
}
const SUM = {
  /** The day (UTC), name or id that identifies the group. Null for usage that has none. */
  group: nullable(text()),
  /** The slug of the neuron or pathway. Null for other groups and for resources that the caller can't see. */
  slug: nullable(text()),
  ...TOTAL,
}
const GROUPS_COUNT = { groups: bigint() }
const COUNTED_SUM = { ...SUM, ...GROUPS_COUNT }
const COUNTED_TOTAL = { ...TOTAL, ...GROUPS_COUNT }

export type UsageTotal = Row<typeof TOTAL>
export type UsageSum = Row<typeof SUM>

interface UsageQuery {
  from: string
  to: string
  group_by: UsageGroup
  brain_ids: string[] | null
  limit: number
  offset: number
}

const WITHIN = `usage_events left join jobs on jobs.job_id = usage_events.job_id
  where usage_events.at >= $1 and usage_events.at < $2
    and ($3::uuid[] is null or jobs.brain_id is null or jobs.brain_id = any($3))`

/**
 * Returns the number of groups, the grand total and a page of totals by group. Groups are sorted by cost, highest
 * first; days are sorted by date.
 */
export async function sumUsage(
  tx: Tx,
  { from, to, group_by, brain_ids, limit, offset }: UsageQuery,
): Promise<{ rows: UsageSum[]; groups: number; total: UsageTotal }> {
  const group = GROUPS[group_by]
  const order = group_by === 'day' ? '1' : 'usd desc, calls desc, 1'
  const [rows, all] = await Promise.all([
    select(
      tx,
      COUNTED_SUM,
      `select sums.*, ${NAMED.has(group_by) ? SLUG : 'null'} as slug
         from (select ${group} as "group", ${list(TOTAL)}, count(*) over () as groups from ${WITHIN}
                group by 1 order by ${order} limit $4 offset $5) sums
      order by ${order}`,
      [from, to, brain_ids, limit, offset],
    ),
    selectOne(
      tx,
      COUNTED_TOTAL,
      `select ${list(TOTAL)}, count(distinct ${group}) + coalesce(max(case when ${group} is null then 1 end), 0) as groups
         from ${WITHIN}`,
      [from, to, brain_ids],
    ),
  ])
  const { groups, ...total } = requireRow(all)
  return { rows: rows.map(({ groups: _groups, ...row }) => row), groups, total }
}

const MEAN = {
  kind: text<JobKind>(),
  /** Number of runs in the average. */
  runs: computed(bigint(), 'count(*)'),
  input_tokens: computed(numeric(), `round(avg((usage->>'input_tokens')::numeric))`),
  output_tokens: computed(numeric(), `round(avg((usage->>'output_tokens')::numeric))`),
  usd: computed(numeric(), `avg((usage->>'usd')::numeric)`),
}
export type MeanUsage = Row<typeof MEAN>

/** Returns the average usage of the latest completed root jobs of each kind, including their child runs. */
export async function averageUsage(
  tx: Tx,
  {
    kinds,
    since,
    maxRuns,
    brain_ids,
  }: { kinds: JobKind[]; since: string; maxRuns: number; brain_ids: string[] | null },
): Promise<MeanUsage[]> {
  return select(
    tx,
    MEAN,
    `select ${list(MEAN)}
       from unnest($1::text[]) as wanted (kind)
      cross join lateral (
        select usage, brain_id from jobs
         where jobs.kind = wanted.kind and status = 'completed' and parent_job_id is null and created_at >= $2
         order by created_at desc limit $3
      ) as recent
      where $4::uuid[] is null or brain_id is null or brain_id = any($4)
      group by kind`,
    [kinds, since, maxRuns, brain_ids],
  )
}
