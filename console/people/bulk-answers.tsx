import type { Intervention, Schema } from '@ganglion/client'
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { Bulk, type PreviewProps, Dialog } from '../shared/parts/dialog.tsx'
import { bindField } from '../shared/parts/form.tsx'
import { Read } from '../shared/parts/read.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'

/** The answers to several at once, by the kind of intervention. */
const ANSWERS = { approval: { approve: 'Approve', reject: 'Reject' }, questions: { decline_questions: 'Decline' } }
const LABELS = { ...ANSWERS.approval, ...ANSWERS.questions }

type Action = keyof typeof LABELS

/** As the service has it. */
const MAX = 100

/** Gives one answer to the chosen interventions, after a look at what becomes of each. */
export const BulkAnswers = ({ items, onDone }: { items: Intervention[]; onDone: () => void }) => (
  <Bulk<Intervention, Action>
    label="Chosen interventions"
    items={items}
    note={items.length > MAX ? `, at most ${MAX} can be answered at once` : undefined}
    actions={{
      ...(items.some(({ kind }) => kind === 'approval') && ANSWERS.approval),
      ...(items.some(({ kind }) => kind === 'questions') && ANSWERS.questions),
    }}
    isDisabled={items.length > MAX}
    onDone={onDone}
  >
    {preview => <Preview {...preview} />}
  </Bulk>
)

function Preview({ action, items, onClose }: PreviewProps<Intervention, Action>) {
  const [text, setText] = useState('')
  const ids = items.map(({ interventionId }) => ({ interventionId }))
  const preview = useRead(
    ['bulk-answers', action, ids],
    ({ inbox }) => inbox.answerMany({ items: ids, action, dry_run: true }),
    { staleTime: Infinity, gcTime: 0 },
  )
  const concerned = preview.data?.results.filter(({ outcome }) => outcome !== 'refused') ?? []
  const send = useChange('interventions', ({ inbox }) => {
    const shownTasks = concerned.map(({ interventionId, shown_hash }) => ({ interventionId, shown_hash }))
    return inbox.answerMany({ items: shownTasks, action, comment: text.trim() || undefined })
  })
  const titles = new Map(items.map(({ interventionId, title }) => [interventionId, title]))
  return (
    <Dialog
      title={`${LABELS[action]} ${items.length} at once`}
      change={send}
      label={`${LABELS[action]} ${concerned.length}`}
      disabled={concerned.length === 0}
      isDone={send.isSuccess}
      onClose={() => onClose(send.isSuccess)}
    >
      <Read query={preview}>
        {preview => (
          <ul className="plain-list" aria-label={send.data ? 'What became of each' : 'What would become of each'}>
            {(send.data ?? preview).results.map(result => (
              <li key={result.interventionId}>
                <strong>{result.title ?? titles.get(result.interventionId)}</strong>
                <span className="item-note">{describeResult(result, send.isSuccess)}</span>
              </li>
            ))}
          </ul>
        )}
      </Read>
      {send.data ? (
        <p role="status">{`${send.data.accepted} answered, ${send.data.refused} refused.`}</p>
      ) : (
        <Textarea label="Comment for all" maxLength={2_000} {...bindField(text, setText)} />
      )}
    </Dialog>
  )
}

type Result = Schema<'BulkAnswers'>['results'][number]

function describeResult({ outcome, decides, approvals, quorum, message }: Result, isSent: boolean): string {
  if (outcome === 'refused') return `${isSent ? 'Refused' : 'Left as it is'}: ${message}`
  if (outcome === 'repeats') return 'You have given this answer before'
  if (outcome === 'pending') return 'Pending until a worker is up'
  if (decides) return isSent ? 'Decided' : 'Decides: its run goes on'
  return `${approvals} of ${quorum} approvals, and waits for others`
}
