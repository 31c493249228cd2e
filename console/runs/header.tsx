import type { JobDetail } from '@ganglion/client'
import { Anchor } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { CopyText } from '../parts/buttons.tsx'
import { RunLink, Status, toDuration, useNow, When } from '../parts/inline.tsx'
import { toName } from '../parts/names.ts'
import { Facts } from '../parts/values.tsx'
import { useRead } from '../service/use-service.ts'
import type { Connection } from './follow.ts'
import { REFRESH_MS } from './queries.ts'
import { measureRun } from './times.ts'

const CONNECTIONS: Record<Connection, string> = {
  live: 'live',
  reconnecting: 'reconnecting…',
  hidden: 'waits until the page is seen',
  ended: '',
}

/** Where a run stands: what it waits for and since when, who started it, how long it took, what it cost. */
export function RunHeader({ run, connection }: { run: JobDetail; connection: Connection }) {
  const { status, kind, requester, created_at, pathway_version, parent_job_id, forked_from, progress, usage } = run
  const { working, waiting } = measureRun(run, useNow())
  const tokens = usage.input_tokens + usage.output_tokens
  return (
    <div className="run-header">
      <Facts>
        <Status status={status} />
        {connection !== 'ended' && (
          <span className="connection" data-connection={connection}>
            {CONNECTIONS[connection]}
          </span>
        )}
        {progress && `${progress.done} of ${progress.total}`}
        {pathway_version === null ? kind : `${kind}, version ${pathway_version}`}
        <>
          started by {toName(requester)} <When time={created_at} />
        </>
        {`worked ${toDuration(working)}${waiting > 0 ? `, waited ${toDuration(waiting)}` : ''}`}
        {usage.usd > 0 && `$${usage.usd.toFixed(4)}`}
        {tokens > 0 && `${tokens.toLocaleString()} tokens`}
        {parent_job_id && <RunLink jobId={parent_job_id}>the run that started this one</RunLink>}
        {forked_from && <RunLink jobId={forked_from.job_id}>the run that this one goes on from</RunLink>}
        {run.forks?.map(({ job_id, kind, by }) => (
          <RunLink key={job_id} jobId={job_id}>
            {kind} by {toName(by)}
          </RunLink>
        ))}
        <Anchor href={run.temporal_url} target="_blank" rel="noreferrer" size="sm">
          Temporal <IconExternalLink size={14} aria-hidden />
        </Anchor>
        <CopyText text={run.job_id} label="Copy the id of the run" />
      </Facts>
      <Cause run={run} />
    </div>
  )
}

/** Why an open run is where it is, or why it failed. */
function Cause({ run: { job_id, status, finished_at, failedReason } }: { run: JobDetail }) {
  const isOpen = finished_at === null
  const { data } = useRead(['jobs', 'diagnosis', job_id], ({ jobs }) => jobs.diagnosis(job_id), {
    enabled: isOpen,
    refetchInterval: REFRESH_MS,
  })
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
