import type { Intervention, Schema } from '@ganglion/client'
import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { Bulk, type PreviewProps, Dialog } from '../shared/parts/dialog.tsx'
import { bindField } from '../shared/parts/form.tsx'
import { Read } from '../shared/parts/read.tsx'
import { useChange, useRead } from '../shared/service/use-service.ts'

/** Bulk answers by task kind. */
const ANSWERS = { approval: { approve: 'Approve', reject: 'Reject' }, questions: { decline_questions: 'Decline' } }
const LABELS = { ...ANSWERS.approval, ...ANSWERS.questions }

type Action = keyof typeof LABELS

/** Maximum number of answers that the service accepts per request. */
const MAX = 100

/** Answers the selected tasks together, after a preview of the outcomes. */
export const BulkAnswers = ({ items, onDone }: { items: Intervention[]; onDone: () => void }) => (
  <Bulk<Intervention, Action>
    label="Selected tasks"
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
      title={`${LABELS[action]} ${items.length} tasks`}
      change={send}
      label={`${LABELS[action]} ${concerned.length}`}
      disabled={concerned.length === 0}
      isDone={send.isSuccess}
      onClose={() => onClose(send.isSuccess)}
    >
      <Read query={preview}>
        {preview => (
          <ul className="plain-list" aria-label={send.data ? 'Outcomes' : 'Expected outcomes'}>
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
        <Textarea label="Comment for all tasks" maxLength={2_000} {...bindField(text, setText)} />
      )}
    </Dialog>
  )
}

type Result = Schema<'BulkAnswers'>['results'][number]

function describeResult({ outcome, decides, approvals, quorum, message }: Result, isSent: boolean): string {
  if (outcome === 'refused') return `${isSent ? 'Refused' : 'Unchanged'}: ${message}`
  if (outcome === 'repeats') return 'You have already given this answer'
  if (outcome === 'pending') return 'Pending until a worker is available'
  if (decides) return isSent ? 'Decided' : 'Final: the run continues'
  return `${approvals} of ${quorum} approvals, waiting for more`
}
