import type { OperatorService } from '@temporalio/client'
import proto from '@temporalio/proto'
import { SEARCH_ATTRIBUTES } from '../../workflows/shared/run/messages.ts'

const TYPES = proto.temporal.api.enums.v1.IndexedValueType
const TYPE_OF = {
  Keyword: TYPES.INDEXED_VALUE_TYPE_KEYWORD,
  KeywordList: TYPES.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  Text: TYPES.INDEXED_VALUE_TYPE_TEXT,
  Datetime: TYPES.INDEXED_VALUE_TYPE_DATETIME,
}
/** Time until a new attribute is known throughout the cluster, in milliseconds. */
const SPREAD_MS = 2_000

/**
 * Registers missing search attributes in the namespace, because runs cannot start without them, and returns their
 * names. An attribute with a different type is replaced. Open runs set the attribute again with their next change.
 */
export async function registerSearchAttributes(
  { operatorService }: { operatorService: OperatorService },
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
  const registered = customAttributes ?? {}
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name, type]) => registered[name] !== TYPE_OF[type])
  const names = missing.map(([name]) => name)
  if (names.length === 0) return []
  const replaced = names.filter(name => name in registered)
  if (replaced.length > 0) await operatorService.removeSearchAttributes({ namespace, searchAttributes: replaced })
  const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, TYPE_OF[type]]))
  await operatorService.addSearchAttributes({ namespace, searchAttributes })
  await new Promise(resolve => setTimeout(resolve, SPREAD_MS))
  return names
}
