import type { Body, Schema } from '@ganglion/client'
import { Checkbox, NumberInput, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { VersionChoice } from '../shared/parts/choice.tsx'
import { Dialog } from '../shared/parts/dialog.tsx'
import { bindField } from '../shared/parts/form.tsx'
import { Status } from '../shared/parts/inline.tsx'
import { formatCount } from '../shared/parts/names.ts'
import { Read } from '../shared/parts/read.tsx'
import { useVersions } from '../pathways/queries.ts'
import { useChange, useRead } from '../shared/service/use-service.ts'
import { buildBulkFilter, type RunsSearch } from './search.ts'

export type BulkOperation = Body<'jobs.bulk'>['operation']

interface BulkDialogProps {
  operation: BulkOperation
  label: string
  search: RunsSearch
  onClose: () => void
}

const DEFAULT_PER_SECOND = 10
const MAX_PER_SECOND = 50

/** Previews an operation on all runs that match the filters, and starts the bulk job. */
export default function BulkDialog({ operation, label, search, onClose }: BulkDialogProps) {
  // Fixed when the dialog opens, because relative times in the URL depend on the current time.
  const [filter] = useState(() => buildBulkFilter(search))
  const [reason, setReason] = useState('')
  const [perSecond, setPerSecond] = useState(DEFAULT_PER_SECOND)
  const [isConfirmed, setConfirmed] = useState(false)
  const [version, setVersion] = useState<number>()
  const options = version === undefined ? undefined : { to_version: version }
  const navigate = useNavigate()
  const isMove = operation === 'migrate'
  const versions = useVersions(filter.pathway_id ?? '', isMove)
  const preview = useRead(
    ['bulk', operation, filter, version],
    async ganglion => {
      const plan = await ganglion.jobs.bulk({ operation, filter, options, dry_run: true })
      return plan as Schema<'BulkPreview'>
    },
    { enabled: !isMove || version !== undefined, staleTime: Infinity, gcTime: 0 },
  )
  const plan = preview.data
  const start = useChange(
    'jobs',
    ({ jobs }) => {
      // Excludes runs created after the preview.
      const pinned = { ...filter, created_before: plan?.created_before }
      const fields = { reason: reason.trim() || undefined, confirm: isConfirmed || undefined }
      return jobs.bulk({ operation, filter: pinned, options, per_second: perSecond, ...fields })
    },
    reply => {
      onClose()
      if ('job_id' in reply) void navigate({ to: '/runs/$jobId', params: { jobId: reply.job_id } })
    },
  )
  return (
    <Dialog
      title={`${label} all matching runs`}
      change={start}
      label={`${label} ${plan ? formatCount(plan.applies, 'run') : ''}`}
      isDanger={operation === 'cancel'}
      disabled={!plan || plan.applies === 0 || (plan.needs_confirm && !isConfirmed)}
      onClose={onClose}
    >
      {isMove && (
        <Read query={versions}>
          {versions => (
            // No version is preselected, because the move changes what the runs do.
            <VersionChoice
              label="Version"
              none="Select a version…"
              versions={versions}
              value={version}
              onChange={setVersion}
            />
          )}
        </Read>
      )}
      <Read query={preview}>{plan => <Preview plan={plan} label={label} />}</Read>
      <Textarea
        label="Reason"
        description="Recorded with the bulk job and in each run's audit log"
        maxLength={2_000}
        {...bindField(reason, setReason)}
      />
      <NumberInput
        label="Maximum runs per second"
        min={0.1}
        max={MAX_PER_SECOND}
        value={perSecond}
        onChange={value => setPerSecond(Number(value) || DEFAULT_PER_SECOND)}
      />
      {plan?.needs_confirm && (
        <Checkbox
          label={`No filter is set: ${label.toLowerCase()} all runs`}
          checked={isConfirmed}
          onChange={event => setConfirmed(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}

interface PreviewProps {
  plan: Schema<'BulkPreview'>
  label: string
}

const Preview = ({ plan: { applies, matched, reasons, sample }, label }: PreviewProps) => (
  <section className="fields" aria-label="Preview">
    <p className="item-note">
      {label} applies to {applies} of {matched} runs.
    </p>
    {reasons.length > 0 && (
      <ul className="plain-list" aria-label="Excluded runs">
        {reasons.map(({ message, count }) => (
          <li key={message}>
            {count}: {message}
          </li>
        ))}
      </ul>
    )}
    <details className="shown">
      <summary>
        <strong>First {sample.length} runs</strong>
      </summary>
      <ul className="plain-list">
        {sample.map(({ job_id, title, status, message, asked_again = [] }) => (
          <li key={job_id}>
            <Status status={status} /> {title}
            {message && <span className="item-note">{message}</span>}
            {asked_again.length > 0 && (
              <span className="item-note">
                Decisions required again: {asked_again.map(({ key }) => key).join(', ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  </section>
)
