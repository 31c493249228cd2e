import type { Intervention } from '@ganglion/client'
import { listFileValues } from '../../../domain/documents/file-fields.ts'
import type { JsonSchema, JsonValue } from '../../../domain/shared/json/json.ts'
import { FileById } from '../../shared/parts/files.tsx'
import { When } from '../../shared/parts/inline.tsx'
import { formatLabel } from '../../shared/parts/names.ts'
import { People, Person } from '../../shared/parts/person.tsx'
import { Value } from '../../shared/parts/values.tsx'
import { DONE } from './state.tsx'

/** The votes so far, and the number of approvals still missing. */
export function Votes({ intervention }: { intervention: Intervention }) {
  const { votes, quorum, approvals, status, decision, questions } = intervention
  const missing = quorum - approvals
  if (votes.length === 0 && quorum === 1) return null
  const texts = new Map(questions?.map(({ id, text }) => [id, text]))
  return (
    <section className="votes" aria-label="Answers">
      {status === 'open' && quorum > 1 && (
        <p>
          {approvals} of {quorum} approvals; {missing} more {missing === 1 ? 'is' : 'are'} needed. A single rejection
          decides.
        </p>
      )}
      <ul className="plain-list">
        {votes.map(({ action, by, at, comment, on_behalf_of }) => (
          <li key={by + at}>
            <strong>
              <Person actor={by} />
            </strong>{' '}
            {DONE[action] ?? action}
            {on_behalf_of && (
              <>
                {' '}
                for <Person actor={on_behalf_of} />
              </>
            )}{' '}
            <When time={at} />
            {comment && <q>{comment}</q>}
          </li>
        ))}
      </ul>
      {decision?.data !== undefined && <Value value={decision.data} />}
      <AnswerFiles intervention={intervention} />
      {decision?.answers && (
        <dl className="values">
          {Object.entries(decision.answers).map(([id, text]) => (
            <div key={id}>
              <dt>{texts.get(id) ?? formatLabel(id)}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** The files in the answer's file fields. */
function AnswerFiles({ intervention: { form, decision } }: { intervention: Intervention }) {
  const files =
    form && decision?.data !== undefined ? listFileValues(form as JsonSchema, decision.data as JsonValue, '') : []
  if (files.length === 0) return null
  return (
    <ul className="plain-list" aria-label="Files">
      {files.map(({ pointer, id }) => (
        <li key={pointer}>
          <FileById id={id} />
        </li>
      ))}
    </ul>
  )
}

/** Changes that don't affect the assignees. */
const KEEPING = new Set(['claimed', 'released', 'commented', 'reminded', 'excluded'])

/** Comments on a task and earlier changes to it. */
export const History = ({ history = [] }: Pick<Intervention, 'history'>) =>
  history.length === 0 ? null : (
    <section className="votes" aria-label="Comments and changes">
      <ul>
        {history.map(({ change, by, at, assignees, comment }) => (
          <li key={`${at} ${change} ${by}`}>
            <strong>{by === undefined ? 'The run' : <Person actor={by} />}</strong>{' '}
            {change === 'excluded' ? 'excluded people behind the run' : change}
            {!KEEPING.has(change) && assignees && (
              <>
                {' '}
                the task to <People actors={assignees} />
              </>
            )}{' '}
            <When time={at} />
            {comment && <q>{comment}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
