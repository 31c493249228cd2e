import { randomUUID } from 'node:crypto'
import proto from '@temporalio/proto'
import { NativeConnection } from '@temporalio/worker'
import { registerSearchAttributes } from '../../../services/shared/search-attributes.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { ensureNamespaces } from '../../../dev/components/temporal-namespaces.ts'
import { SEARCH_ATTRIBUTES } from '../../../workflows/shared/run/messages.ts'
import { waitUntil } from '../../support/stack/process.ts'

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST, INDEXED_VALUE_TYPE_TEXT } =
  proto.temporal.api.enums.v1.IndexedValueType

test('the worker registers missing search attributes, and replaces those with another type', async () => {
  const { TEMPORAL_ADDRESS: address = '' } = readEnvironment()
  const namespace = `attributes-${randomUUID()}`
  await ensureNamespaces(address, [namespace])
  const connection = await NativeConnection.connect({ address })
  try {
    const { operatorService } = connection
    const former = { GanglionWaitingOn: INDEXED_VALUE_TYPE_KEYWORD, GanglionStatus: INDEXED_VALUE_TYPE_KEYWORD }
    // The server recognizes a new namespace after a few seconds.
    await waitUntil(() =>
      operatorService.addSearchAttributes({ namespace, searchAttributes: former }).then(
        () => true,
        () => false,
      ),
    )
    await registerSearchAttributes(connection, namespace)
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)))
    expect(customAttributes).toMatchObject({
      GanglionWaitingOn: INDEXED_VALUE_TYPE_KEYWORD_LIST,
      GanglionStatus: INDEXED_VALUE_TYPE_KEYWORD,
      GanglionTitle: INDEXED_VALUE_TYPE_TEXT,
    })
  } finally {
    await connection.close()
  }
})
