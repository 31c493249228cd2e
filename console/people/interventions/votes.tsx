import type { Intervention } from '@ganglion/client'
import { When } from '../../shared/parts/inline.tsx'
import { formatActor, formatLabel } from '../../shared/parts/names.ts'
import { Value } from '../../shared/parts/values.tsx'
import { DONE } from './state.tsx'

/** Who has answered what, and what is still missing. */
export function Votes({ intervention }: { intervention: Intervention }) {
  const { votes, quorum, approvals, status, decision, questions } = intervention
  const missing = quorum - approvals
  if (votes.length === 0 && quorum === 1) return null
  const texts = new Map(questions?.map(({ id, text }) => [id, text]))
  return (
    <section className="votes" aria-label="Answers">
      {status === 'open' && quorum > 1 && (
        <p>
          {approvals} of {quorum} approvals; {missing} more {missing === 1 ? 'is' : 'are'} needed, one rejection
          decides.
        </p>
      )}
      <ul className="plain-list">
        {votes.map(({ action, by, at, comment, on_behalf_of }) => (
          <li key={by + at}>
            <strong>{formatActor(by)}</strong> {DONE[action] ?? action}
            {on_behalf_of && ` for ${formatActor(on_behalf_of)}`} <When time={at} />
            {comment && <q>{comment}</q>}
          </li>
        ))}
      </ul>
      {decision?.data !== undefined && <Value value={decision.data} />}
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

/** The changes after which the same people may answer. */
const KEEPING = new Set(['claimed', 'released', 'commented', 'reminded', 'excluded'])

/** Comments, and who dealt with an intervention before. */
export const History = ({ history = [] }: Pick<Intervention, 'history'>) =>
  history.length === 0 ? null : (
    <section className="votes" aria-label="Comments and changes">
      <ul>
        {history.map(({ change, by, at, assignees, comment }) => (
          <li key={`${at} ${change} ${by}`}>
            <strong>{by === undefined ? 'The run' : formatActor(by)}</strong>{' '}
            {change === 'excluded' ? 'excluded people who are behind it now' : change}
            {!KEEPING.has(change) && assignees && ` it, now for ${assignees.map(formatActor).join(', ')},`}{' '}
            <When time={at} />
            {comment && <q>{comment}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
