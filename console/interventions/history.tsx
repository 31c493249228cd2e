import type { Intervention } from '@ganglion/client'
import { toName } from '../parts/names.ts'
import { When } from '../parts/when.tsx'

/** The changes after which the same people may answer. */
const KEEPING = new Set(['claimed', 'released', 'commented', 'reminded'])

/** Comments, and who dealt with an intervention before. */
export function History({ history = [] }: Pick<Intervention, 'history'>) {
  if (history.length === 0) return null
  return (
    <section className="votes" aria-label="Comments and changes">
      <ul>
        {history.map(({ change, by, at, assignees, comment }) => (
          <li key={`${at} ${change} ${by}`}>
            <strong>{by === undefined ? 'The run' : toName(by)}</strong> {change}
            {!KEEPING.has(change) && assignees && ` it, now for ${assignees.map(toName).join(', ')},`}{' '}
            <When time={at} />
            {comment && <q>{comment}</q>}
          </li>
        ))}
      </ul>
    </section>
  )
}
