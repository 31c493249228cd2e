import type { JobDetail } from '@ganglion/client'
import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMemo } from 'react'
import { CopyText } from '../shared/parts/buttons.tsx'
import { formatDuration, RunLink, RunStatus, useNow, When } from '../shared/parts/inline.tsx'
import { formatCount, formatLabel } from '../shared/parts/names.ts'
import { Person } from '../shared/parts/person.tsx'
import { Facts } from '../shared/parts/values.tsx'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'
import type { Connection } from './follow.ts'
import { PathwayLink } from './pathway-link.tsx'
import { REFRESH_MS } from './queries.ts'
import { type ChildWait, measureRun } from './times.ts'

const CONNECTIONS: Record<Connection, string> = {
  live: 'live',
  reconnecting: 'reconnecting…',
  hidden: 'paused while the page is hidden',
  ended: '',
}

/** Run summary: status, diagnosis, requester, duration and cost. */
export function RunHeader({ run, connection }: { run: JobDetail; connection: Connection }) {
  const { kind, requester, created_at, pathway_id, pathway_version, parent_job_id, forked_from, progress, usage } = run
  const { working, waiting } = measureRun(run, useNow(run.finished_at === null), useChildWaits(run))
  const tokens = usage.input_tokens + usage.output_tokens
  return (
    <div className="run-header">
      <Facts>
        <RunStatus run={run} />
        {connection !== 'ended' && (
          <span className="connection" data-connection={connection}>
            {CONNECTIONS[connection]}
          </span>
        )}
        {progress && formatProgress(kind, progress)}
        {pathway_id === null ? kind : <PathwayLink run={run} isPinned />}
        {pathway_id === null && pathway_version !== null && `version ${pathway_version}`}
        <>
          started by <Person actor={requester} /> <When time={created_at} />
        </>
        {`run time ${formatDuration(working)}${waiting > 0 ? `, wait time ${formatDuration(waiting)}` : ''}`}
        {usage.usd > 0 && `$${usage.usd.toFixed(4)}`}
        {tokens > 0 && `${tokens.toLocaleString()} tokens`}
        {parent_job_id && <RunLink jobId={parent_job_id}>parent run</RunLink>}
        {forked_from && <RunLink jobId={forked_from.job_id}>forked from</RunLink>}
        {run.forks?.map(({ job_id, kind, by }) => (
          <RunLink key={job_id} jobId={job_id}>
            {kind} by <Person actor={by} />
          </RunLink>
        ))}
        <Anchor href={run.temporal_url} target="_blank" rel="noreferrer" size="sm">
          Temporal <IconExternalLink size={14} aria-hidden />
        </Anchor>
        <CopyText text={run.job_id} label="Copy run id" />
      </Facts>
      <Cause run={run} />
    </div>
  )
}

/** An agent's total is its step limit, which is seldom reached. */
const formatProgress = (kind: string, { done, total }: NonNullable<JobDetail['progress']>): string =>
  kind === 'neuron' ? `${formatCount(done, 'step')}, at most ${total}` : `${done} of ${total}`

const MAX_WAITS = 200

/** Returns the times during which child runs waited for people. */
function useChildWaits({ job_id, nodes }: JobDetail): ChildWait[] {
  const { can } = useSignedIn()
  const { data } = useRead(
    ['interventions', 'of-run', job_id],
    async ({ interventions }) => (await interventions.list({ job_id, limit: MAX_WAITS })).data,
    { enabled: can('interventions:read') && nodes.some(({ child_job_id }) => child_job_id !== undefined) },
  )
  return useMemo(() => data?.filter(wait => wait.job_id !== job_id) ?? [], [data, job_id])
}

/** The diagnosis of an open run, or the error of a failed run. */
function Cause({ run: { job_id, status, outcome, cancelled_by, finished_at, failedReason } }: { run: JobDetail }) {
  const isOpen = finished_at === null
  const { data } = useRead(['jobs', 'diagnosis', job_id], ({ jobs }) => jobs.diagnosis(job_id), {
    enabled: isOpen,
    refetchInterval: REFRESH_MS,
  })
  if (outcome === 'cancelled')
    return (
      <p className="cause" data-tone="idle">
        {cancelled_by === undefined ? (
          formatLabel(failedReason ?? 'cancelled')
        ) : (
          <>
            Cancelled by <Person actor={cancelled_by} />
          </>
        )}
      </p>
    )
  if (status === 'failed')
    return (
      <p className="cause" data-tone="bad">
        {failedReason}
      </p>
    )
  if (!isOpen || !data || data.cause === 'running') return null
  return (
    <p className="cause" data-tone="wait">
      {data.message}
      {data.since && (
        <>
          {' '}
          (since <When time={data.since} />)
        </>
      )}
      {data.action && <span className="cause-action">{data.action}</span>}
    </p>
  )
}
