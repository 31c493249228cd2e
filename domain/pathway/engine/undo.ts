import { ExpressionError } from '../../expressions/expression.ts'
import type { ReceiptLine } from '../../jobs.ts'
import { graphAt, keyOf, pathOf, splitKey } from './address.ts'
import type { EffectNode, EngineEvent } from './commands.ts'
import type { Draft } from './draft.ts'
import { finish } from './finish.ts'
import { beginningOf } from './node-start.ts'
import { lastOf, withLast, withoutLast } from './pages.ts'
import type { Undo } from './state.ts'

/** Remembers how to undo a node, with the handler's values as they are now. */
export function registerUndo(draft: Draft, key: string): void {
  const { node } = draft.node(key)
  if (!node.compensate) return
  const { frameId } = splitKey(key)
  const entry = { key, node_id: node.id, handler: node.compensate, path: pathOf(frameId) }
  try {
    const begin = beginningOf(draft, keyOf(frameId, node.compensate))
    if (begin.type === 'run') remember(draft, { ...entry, with: begin.with })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    remember(draft, { ...entry, error: { code: error.code, message: error.message } })
  }
}

const remember = (draft: Draft, undo: Undo): void => void (draft.state.undo = withLast(draft.state.undo, undo))

/** Undoes what was done last; once nothing is left, the run is over. */
export function undoNext(draft: Draft): void {
  let last = lastOf(draft.state.undo)
  for (; last && !last.with; last = lastOf(draft.state.undo)) {
    note(draft, { node_id: last.node_id, key: last.key, outcome: 'compensation_failed', message: last.error?.message })
  }
  if (!last?.with) return finish(draft, draft.state.outcome ?? 'failed')
  const handler = graphAt(draft.graph, last.path).nodes.get(last.handler)
  draft.commands.push({ type: 'undo', key: undoKey(last), node: handler?.node as EffectNode, with: last.with })
}

/** A handler undoes one node only, so this key is visited once too. */
const undoKey = ({ key, handler }: Undo): string => keyOf(splitKey(key).frameId, handler)

/** An undoing has ended, well or not; the next one follows. */
export function undone(draft: Draft, { key, error }: Extract<EngineEvent, { type: 'undone' }>): void {
  const last = lastOf(draft.state.undo)
  if (!last || draft.state.phase !== 'undoing' || undoKey(last) !== key) return
  const outcome = error ? 'compensation_failed' : 'compensated'
  if (!error) draft.tell(last.key, 'compensated')
  note(draft, { node_id: last.node_id, key: last.key, outcome, message: error?.message })
  undoNext(draft)
}

function note(draft: Draft, line: ReceiptLine): void {
  draft.state.undo = withoutLast(draft.state.undo)
  draft.account(line)
}
