import type { Schema } from '@ganglion/client'
import { Checkbox, Modal, NativeSelect, NumberInput, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DialogActions } from '../parts/dialog-actions.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { Status } from '../parts/status.tsx'
import { toVersionOption, useVersionsQuery } from '../pathways/queries.ts'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'
import { type BulkOperation, toBulkLabel } from './bulk-operations.ts'
import { type RunsSearch, toBulkFilter } from './search.ts'

interface BulkDialogProps {
  operation: BulkOperation
  search: RunsSearch
  onClose: () => void
}

const DEFAULT_PER_SECOND = 10
const MAX_PER_SECOND = 50

/** Shows what an operation on all runs of a list would do, and starts the job that does it. */
export default function BulkDialog({ operation, search, onClose }: BulkDialogProps) {
  const { ganglion, brainId } = useSignedIn()
  // As it was when the dialog opened: times of the address are counted from now.
  const [filter] = useState(() => toBulkFilter(search))
  const [reason, setReason] = useState('')
  const [perSecond, setPerSecond] = useState(DEFAULT_PER_SECOND)
  const [isConfirmed, setConfirmed] = useState(false)
  const [version, setVersion] = useState<number>()
  const options = version === undefined ? undefined : { to_version: version }
  const navigate = useNavigate()
  const preview = useQuery({
    queryKey: ['bulk', brainId, operation, filter, version],
    queryFn: () => ganglion.jobs.bulk({ operation, filter, options, dry_run: true }),
    enabled: operation !== 'migrate' || version !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  })
  const plan = preview.data && 'dry_run' in preview.data ? preview.data : undefined
  const start = useChange(
    'jobs',
    ({ jobs }) => {
      // Runs that have begun since are not among those that are shown.
      const pinned = { ...filter, created_before: plan?.created_before }
      const told = reason.trim() === '' ? {} : { reason: reason.trim() }
      const confirm = isConfirmed || undefined
      return jobs.bulk({ operation, filter: pinned, options, per_second: perSecond, confirm, ...told })
    },
    started => {
      onClose()
      if ('job_id' in started) void navigate({ to: '/runs/$jobId', params: { jobId: started.job_id } })
    },
  )
  const label = toBulkLabel(operation)
  return (
    <Modal opened onClose={onClose} title={`${label} all runs of this list`} size="lg">
      <div className="fields">
        {operation === 'migrate' && (
          <TargetVersion pathwayId={filter.pathway_id ?? ''} version={version} onChange={setVersion} />
        )}
        {preview.isLoading && <Loading />}
        {preview.error && <Failure error={preview.error} />}
        {plan && <Preview plan={plan} label={label} />}
        <Textarea
          label="Reason"
          description="Shown with the job, and in the activity with each run"
          autosize
          minRows={1}
          maxLength={2_000}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <NumberInput
          label="Runs a second, at most"
          min={0.1}
          max={MAX_PER_SECOND}
          value={perSecond}
          onChange={value => setPerSecond(Number(value) || DEFAULT_PER_SECOND)}
        />
        {plan?.needs_confirm && (
          <Checkbox
            label={`This list leaves out no run: ${label.toLowerCase()} all of them`}
            checked={isConfirmed}
            onChange={event => setConfirmed(event.currentTarget.checked)}
          />
        )}
        <DialogActions
          action={start}
          disabled={!plan || plan.applies === 0 || (plan.needs_confirm && !isConfirmed)}
          onClose={onClose}
        >
          {label} {plan?.applies ?? ''}
        </DialogActions>
      </div>
    </Modal>
  )
}

interface TargetVersionProps {
  pathwayId: string
  version: number | undefined
  onChange: (version: number | undefined) => void
}

/** The version to which the runs move. None is chosen at first, because the move changes what they do. */
function TargetVersion({ pathwayId, version, onChange }: TargetVersionProps) {
  const { data = [], error } = useQuery(useVersionsQuery(pathwayId))
  return (
    <>
      {error && <Failure error={error} />}
      <NativeSelect
        label="Version"
        value={version ?? ''}
        onChange={event => onChange(Number(event.currentTarget.value) || undefined)}
        data={[{ value: '', label: 'Choose a version…' }, ...data.map(toVersionOption)]}
      />
    </>
  )
}

const Preview = ({
  plan: { applies, matched, reasons, sample },
  label,
}: {
  plan: Schema<'BulkPreview'>
  label: string
}) => (
  <section className="fields" aria-label="What happens">
    <p className="item-note">
      {label} applies to {applies} of {matched} runs.
    </p>
    {reasons.length > 0 && (
      <ul className="plain-list" aria-label="Why it does not apply to the others">
        {reasons.map(({ message, count }) => (
          <li key={message}>
            {count}: {message}
          </li>
        ))}
      </ul>
    )}
    <details className="shown">
      <summary>
        <strong>The first {sample.length} runs</strong>
      </summary>
      <ul className="plain-list">
        {sample.map(({ job_id, title, status, message }) => (
          <li key={job_id}>
            <Status status={status} /> {title}
            {message && <span className="item-note">{message}</span>}
          </li>
        ))}
      </ul>
    </details>
  </section>
)
