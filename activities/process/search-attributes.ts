import proto from '@temporalio/proto'
import type { NativeConnection } from '@temporalio/worker'
import { SEARCH_ATTRIBUTES } from '../../workflows/shared/messages.ts'

const TYPES = proto.temporal.api.enums.v1.IndexedValueType
const TYPE_OF = { Keyword: TYPES.INDEXED_VALUE_TYPE_KEYWORD, Datetime: TYPES.INDEXED_VALUE_TYPE_DATETIME }
/** The cluster knows a new attribute after about this time. */
const SPREAD_MS = 2_000

/** Registers missing search attributes in the namespace. Without them no run can start. */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => !(name in (customAttributes ?? {})))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, TYPE_OF[type]]))
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes })
  await new Promise(resolve => setTimeout(resolve, SPREAD_MS))
}
