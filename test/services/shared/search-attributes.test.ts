import { randomUUID } from 'node:crypto'
import proto from '@temporalio/proto'
import { NativeConnection } from '@temporalio/worker'
import { Client } from 'pg'
import { registerSearchAttributes } from '../../../services/shared/search-attributes.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { ensureNamespaces } from '../../../dev/components/temporal-namespaces.ts'
import { SEARCH_ATTRIBUTES } from '../../../workflows/shared/run/messages.ts'
import { buildRunAttributes } from '../../../workflows/shared/run/attributes.ts'
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

test('every title can be stored in a visibility store in Postgres', async () => {
  const client = new Client({ connectionString: readEnvironment().DATABASE_URL })
  await client.connect()
  try {
    const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))
    const titles = [
      "Tool: it's listed",
      '10:30',
      'a\\',
      "'",
      ':',
      ...Array.from(ascii, char => `a${char}b ${char} ${char}`),
    ]
    const attributes = titles.map(title => {
      const pairs = buildRunAttributes({ workspace: 'acme', kind: 'tool', title, requester: 'user:ann' })
      return pairs.find(({ key }) => key.name === 'GanglionTitle')?.value
    })
    // The server's schema has columns of this type for Text attributes.
    const { rows } = await client.query<{ words: string[] }>(
      'select tsvector_to_array(text::tsvector) as words from unnest($1::text[]) with ordinality as t (text, n) order by n',
      [attributes],
    )
    expect(rows.slice(0, 2)).toEqual([{ words: ['Tool', 'it’s', 'listed'] }, { words: ['10', '30'] }])
  } finally {
    await client.end()
  }
})
