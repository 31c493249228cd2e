import type { Intervention, Schema } from '@ganglion/client'
import { Button, Group, Modal, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BulkBar } from '../parts/bulk-bar.tsx'
import { Failure } from '../parts/failure.tsx'
import { Loading } from '../parts/loading.tsx'
import { useSignedIn } from '../service/signed-in.tsx'
import { useChange } from '../service/use-change.ts'

const ACTIONS = {
  approve: { label: 'Approve', kind: 'approval' },
  reject: { label: 'Reject', kind: 'approval' },
  decline_questions: { label: 'Decline', kind: 'questions' },
} as const

type Action = keyof typeof ACTIONS

/** As the service has it. */
const MAX = 100

interface BulkAnswersProps {
  items: Intervention[]
  onDone: () => void
}

/** Gives one answer to the chosen interventions, after a look at what becomes of each. */
export function BulkAnswers({ items, onDone }: BulkAnswersProps) {
  // As they were chosen: one that is answered may leave the list while the outcome is shown.
  const [preview, setPreview] = useState<{ action: Action; items: Intervention[] }>()
  const fitting = (Object.keys(ACTIONS) as Action[]).filter(one => items.some(({ kind }) => kind === ACTIONS[one].kind))
  return (
    <>
      <BulkBar
        label="Chosen interventions"
        className="bulk-list"
        count={items.length}
        note={items.length > MAX ? `, at most ${MAX} can be answered at once` : undefined}
        actions={fitting}
        toLabel={action => ACTIONS[action].label}
        isDisabled={items.length > MAX}
        onAction={action => setPreview({ action, items })}
        onNone={onDone}
      />
      {preview && (
        <Preview
          {...preview}
          onClose={isDone => {
            setPreview(undefined)
            if (isDone) onDone()
          }}
        />
      )}
    </>
  )
}

interface PreviewProps {
  action: Action
  items: Intervention[]
  onClose: (isDone: boolean) => void
}

function Preview({ action, items, onClose }: PreviewProps) {
  const { ganglion } = useSignedIn()
  const [text, setText] = useState('')
  const ids = items.map(({ interventionId }) => ({ interventionId }))
  const preview = useQuery({
    queryKey: ['bulk-answers', action, ids],
    queryFn: () => ganglion.inbox.answerMany({ items: ids, action, dry_run: true }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const concerned = preview.data?.results.filter(({ outcome }) => outcome !== 'refused') ?? []
  const send = useChange('interventions', ({ inbox }) => {
    const seen = concerned.map(({ interventionId, shown_hash }) => ({ interventionId, shown_hash }))
    const comment = text.trim()
    return inbox.answerMany({ items: seen, action, ...(comment !== '' && { comment }) })
  })
  const { label } = ACTIONS[action]
  const close = () => onClose(send.isSuccess)
  const titles = new Map(items.map(({ interventionId, title }) => [interventionId, title]))
  return (
    <Modal opened onClose={close} title={`${label} ${items.length} at once`} size="lg">
      <div className="fields">
        {preview.isPending && <Loading />}
        {preview.error && <Failure error={preview.error} />}
        <ul className="plain-list" aria-label={send.data ? 'What became of each' : 'What would become of each'}>
          {(send.data ?? preview.data)?.results.map(result => (
            <li key={result.interventionId}>
              <strong>{result.title ?? titles.get(result.interventionId)}</strong>
              <span className="item-note">{describeResult(result, send.isSuccess)}</span>
            </li>
          ))}
        </ul>
        {!send.isSuccess && (
          <Textarea
            label="Comment for all"
            autosize
            minRows={1}
            maxLength={2_000}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
        )}
        {send.data && <p role="status">{`${send.data.accepted} answered, ${send.data.refused} refused.`}</p>}
        {send.error && <Failure error={send.error} />}
        <Group>
          {!send.isSuccess && (
            <Button loading={send.isPending} disabled={concerned.length === 0} onClick={() => send.mutate()}>
              {label} {concerned.length}
            </Button>
          )}
          <Button variant="default" onClick={close}>
            {send.isSuccess ? 'Close' : 'Leave it'}
          </Button>
        </Group>
      </div>
    </Modal>
  )
}

type Result = Schema<'BulkAnswers'>['results'][number]

function describeResult({ outcome, decides, approvals, quorum, message }: Result, isSent: boolean): string {
  if (outcome === 'refused') return `${isSent ? 'Refused' : 'Left as it is'}: ${message}`
  if (outcome === 'repeats') return 'You have given this answer before'
  if (decides) return isSent ? 'Decided' : 'Decides: its run goes on'
  return `${approvals} of ${quorum} approvals, and waits for others`
}
