import type { JobKind, Usage } from '../../domain/runs/jobs.ts'
import type { Tx } from '../shared/database.ts'
import type { UsageGroup } from '../../domain/access/usage.ts'

/** The usage of one attempt of a step. */
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

/** The job and its ancestors, as the table `around`. */
const AROUND = `around (job_id, parent_job_id, distance) as (
       select job_id, parent_job_id, 0 from jobs where job_id = $1
       union all
       select jobs.job_id, jobs.parent_job_id, distance + 1
         from around join jobs on jobs.job_id = around.parent_job_id
     )`

/**
 * Adds the usage of an attempt to the ledger and to the sums of the job and its ancestors; a repeated attempt adds
 * nothing.
 */
export async function addUsage(tx: Tx, jobId: string, spent: AttemptUsage): Promise<void> {
  await Promise.all([lockAround(tx, jobId), addToSums(tx, jobId, spent)])
}

/**
 * Locks the job and its ancestors from the inner to the outer, so that concurrent writers of one tree do not deadlock.
 * In a statement of its own: one that also updates would look for the rows as they were before it waited for them.
 */
async function lockAround(tx: Tx, jobId: string): Promise<void> {
  await tx.query(
    `with recursive ${AROUND}
     select jobs.job_id from around join jobs using (job_id) order by distance for no key update of jobs`,
    [jobId],
  )
}

async function addToSums(tx: Tx, jobId: string, spent: AttemptUsage): Promise<void> {
  const { input_tokens, output_tokens, usd } = spent.usage
  await tx.query(
    `with recursive added as (
       insert into usage_events
              (job_id, key, attempt, input_tokens, output_tokens, usd, kind, model, cached_input_tokens, audio_seconds)
       select job_id, $2, $3, $4, $5, $6, $7, $8, $9, $10 from jobs where job_id = $1
       on conflict (job_id, key, attempt) do nothing
       returning input_tokens, output_tokens, usd
     ), ${AROUND}
     update jobs
        set usage = jsonb_build_object(
              'input_tokens', (usage->>'input_tokens')::bigint + added.input_tokens,
              'output_tokens', (usage->>'output_tokens')::bigint + added.output_tokens,
              'usd', (usage->>'usd')::numeric + added.usd)
       from added, around where jobs.job_id = around.job_id`,
    [
      jobId,
      spent.key,
      spent.attempt,
      input_tokens,
      output_tokens,
      usd,
      spent.kind ?? 'model',
      spent.model ?? null,
      spent.cached_input_tokens ?? 0,
      spent.audio_seconds ?? 0,
    ],
  )
}

/** Adds the usage of an embedding outside of jobs. */
export async function addEmbeddingUsage(
  tx: Tx,
  spent: { model: string; input_tokens: number; usd: number },
): Promise<void> {
  await tx.query(
    `insert into usage_events (key, attempt, input_tokens, output_tokens, usd, kind, model)
     values ('embedding', 1, $1, 0, $2, 'embedding', $3)`,
    [spent.input_tokens, spent.usd, spent.model],
  )
}

export interface UsageSum {
  /** The day (UTC), name or id of the group. Null when there is none. */
  group: string | null
  /** The slug of the neuron or pathway of the group. Null for other groups, and if it is not visible. */
  slug: string | null
  calls: number
  input_tokens: number
  output_tokens: number
  cached_input_tokens: number
  audio_seconds: number
  usd: number
}

const GROUPS: Record<UsageGroup, string> = {
  day: `to_char(usage_events.at at time zone 'utc', 'YYYY-MM-DD')`,
  kind: 'usage_events.kind',
  model: 'usage_events.model',
  neuron: 'jobs.neuron_id::text',
  pathway: 'jobs.pathway_id::text',
  job: 'jobs.root_job_id',
}

/** Groups that are ids of resources. */
const NAMED = new Set<UsageGroup>(['neuron', 'pathway'])
const SLUG = `(select slug from resources
  where id = sums."group"::uuid and ($3::uuid[] is null or brain_id is null or brain_id = any($3)))`

const SUMS = `count(*) as calls, coalesce(sum(input_tokens), 0) as input_tokens,
  coalesce(sum(output_tokens), 0) as output_tokens, coalesce(sum(cached_input_tokens), 0) as cached_input_tokens,
  coalesce(sum(audio_seconds), 0) as audio_seconds, coalesce(sum(usd), 0) as usd`

export type UsageTotal = Omit<UsageSum, 'group' | 'slug'>

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

/** Returns sums by group, highest cost first (days in order), the number of groups, and the sum of all. */
export async function sumUsage(
  tx: Tx,
  { from, to, group_by, brain_ids, limit, offset }: UsageQuery,
): Promise<{ rows: UsageSum[]; groups: number; total: UsageTotal }> {
  const group = GROUPS[group_by]
  const order = group_by === 'day' ? '1' : 'usd desc, calls desc, 1'
  const [rows, [all]] = await Promise.all([
    tx.query<(UsageSum & { groups: number })[]>(
      `select sums.*, ${NAMED.has(group_by) ? SLUG : 'null'} as slug
         from (select ${group} as "group", ${SUMS}, count(*) over () as groups from ${WITHIN}
                group by 1 order by ${order} limit $4 offset $5) sums
      order by ${order}`,
      [from, to, brain_ids, limit, offset],
    ),
    tx.query<(UsageTotal & { groups: number })[]>(
      `select ${SUMS}, count(distinct ${group}) + coalesce(max(case when ${group} is null then 1 end), 0) as groups
         from ${WITHIN}`,
      [from, to, brain_ids],
    ),
  ])
  if (!all) throw new Error('a sum has a row')
  const { groups, ...total } = all
  return { rows: rows.map(({ groups: _groups, ...row }) => row), groups, total }
}

export interface MeanUsage {
  kind: JobKind
  /** Number of runs of which this is the mean. */
  runs: number
  input_tokens: number
  output_tokens: number
  usd: number
}

/** Returns the mean usage of the last completed root jobs of each kind, including their child runs. */
export async function averageUsage(
  tx: Tx,
  {
    kinds,
    since,
    maxRuns,
    brain_ids,
  }: { kinds: JobKind[]; since: string; maxRuns: number; brain_ids: string[] | null },
): Promise<MeanUsage[]> {
  return tx.query<MeanUsage[]>(
    `select kind, count(*) as runs, round(avg((usage->>'input_tokens')::numeric)) as input_tokens,
            round(avg((usage->>'output_tokens')::numeric)) as output_tokens, avg((usage->>'usd')::numeric) as usd
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
