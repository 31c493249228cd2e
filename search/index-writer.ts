import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../domain/shared/errors.ts'
import { generateOperations } from './bulk-operations.ts'
import type { Operation } from './bulk-operations.ts'
import type { Elasticsearch } from './elasticsearch.ts'
import { buildAlias, buildWriteAlias } from './index/names.ts'
import { countParts } from './indexed-resource.ts'
import type { Change, WriteResult } from './indexed-resource.ts'

export interface IndexWriter {
  /**
   * Writes changes to the live index, or to the `target` of a rebuild. Returns one result per change, in order.
   * Repeating a change has no effect, and an older revision never replaces a newer one. Throws Unavailable when
   * Elasticsearch is unreachable. Some changes may have been written by then, and all can be repeated.
   */
  write(changes: Change[], options?: { target?: string; signal?: AbortSignal }): Promise<WriteResult[]>
}

const MAX_BYTES = 2_000_000
const MAX_OPERATIONS = 1_000
const TIMEOUT_MS = 30_000

/** Maximum length of a reason. Longer ones are truncated, because Elasticsearch may quote the rejected content. */
const MAX_REASON_CHARS = 500

const CONFLICT = 409
/** Status code for a document that does not match the mapping. Only this failure is permanent. */
const BAD_REQUEST = 400

type Failure = Extract<WriteResult, { ok: false }>
/** The outcome of one operation: the actual index that contains the document, or the failure. */
type Outcome = { index: string } | Failure

export function createIndexWriter({
  elasticsearch,
  prefix,
}: {
  elasticsearch: Elasticsearch
  prefix: string
}): IndexWriter {
  async function send(index: string, batch: Operation[], signal: AbortSignal | undefined) {
    const limits = { timeoutMs: TIMEOUT_MS, signal }
    if (batch.some(({ isRemoval }) => isRemoval)) await checkAlias(index, limits)
    const operations = batch.flatMap(({ lines }) => lines)
    const { items } = await elasticsearch.call(
      (client, options) => client.bulk({ index, require_alias: true, operations }, options),
      limits,
    )
    if (items.length !== batch.length) throw new Unavailable('Elasticsearch did not answer all parts of the request')
    return items
  }

  /**
   * Throws Unavailable if the alias does not exist. The check is needed because `require_alias` has no effect on
   * deletes with an external version.
   */
  async function checkAlias(name: string, limits: { timeoutMs: number; signal?: AbortSignal }): Promise<void> {
    const exists = await elasticsearch.call((client, options) => client.indices.existsAlias({ name }, options), limits)
    if (!exists) throw new Unavailable('The search index does not exist')
  }

  return {
    write: async (changes, { target, signal } = {}) => {
      const index = target === undefined ? buildAlias(prefix) : buildWriteAlias(target)
      const outcomes = new Map<number, Outcome>()
      for await (const batch of splitIntoBatches(generateOperations(changes))) {
        const items = await send(index, batch, signal)
        for (const [position, { change }] of batch.entries())
          outcomes.set(change, combineOutcomes(outcomes.get(change), readOutcome(items[position])))
      }
      return changes.map((change, position) => {
        const outcome = outcomes.get(position) ?? { index }
        return 'index' in outcome ? { ok: true, parts: countRemainingParts(change), index: outcome.index } : outcome
      })
    },
  }
}

const countRemainingParts = (change: Change) => ('put' in change ? countParts(change.put) : 0)

/** Groups operations into batches that stay below the limits. A single operation may exceed them. */
async function* splitIntoBatches(operations: AsyncIterable<Operation>): AsyncGenerator<Operation[]> {
  let batch: Operation[] = []
  let bytes = 0
  for await (const operation of operations) {
    if (batch.length > 0 && (bytes + operation.bytes > MAX_BYTES || batch.length === MAX_OPERATIONS)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(operation)
    bytes += operation.bytes
  }
  if (batch.length > 0) yield batch
}

/**
 * Returns the outcome of an operation. A version conflict counts as success, because the index has this revision or a
 * newer one.
 */
function readOutcome(item: Partial<Record<estypes.BulkOperationType, estypes.BulkResponseItem>> = {}): Outcome {
  const [answer] = Object.values(item)
  if (!answer) return { ok: false, retry: true, reason: 'Elasticsearch did not answer' }
  if (!answer.error || answer.status === CONFLICT) return { index: answer._index }
  const { type, reason, caused_by } = answer.error
  const because = caused_by?.reason ? ` (${caused_by.reason})` : ''
  return {
    ok: false,
    retry: answer.status !== BAD_REQUEST,
    reason: `${type}: ${reason}${because}`.slice(0, MAX_REASON_CHARS),
  }
}

/**
 * Returns the worse of two outcomes. If the alias was swapped between the two operations, neither index contains the
 * complete resource.
 */
function combineOutcomes(before: Outcome | undefined, now: Outcome): Outcome {
  if (!before) return now
  if ('index' in before && 'index' in now && before.index !== now.index)
    return { ok: false, retry: true, reason: 'the live index was replaced during the write' }
  if ('index' in before) return now
  return 'index' in now || now.retry ? before : now
}
