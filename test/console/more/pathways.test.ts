import { useConsole, writeAll } from '../../support/clients/console.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { pathway } from '../../support/runs/runs.ts'

const context = useConsole()

const BUYING = pathway(
  [
    { id: 'price', type: 'http', title: 'Read the price', with: { url: 'https://example.com' } },
    { id: 'review', type: 'human', kind: 'approval', title: 'Buy?' },
    { id: 'bought', type: 'end', output: 'bought for ${nodes.price.output.body.price}' },
    { id: 'left', type: 'end', output: 'left' },
  ],
  'price > review',
  'review.approve > bought',
  'review.reject > left',
)

test('names and values are completed from the schema, and a dry run shows the nodes to run with mock outputs', async () => {
  const { page, expectClean } = await context.visit('/console/new-pathway', { scheme: 'dark' })
  const text = page.getByRole('textbox', { name: 'Definition' })
  await writeAll(text, '{"nodes": [{"id": "a", }]}')
  for (const _ of '}]}') await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('"ty')
  await page.getByRole('option', { name: '"type"' }).click()
  await page.keyboard.type('hu')
  await page.getByRole('option', { name: '"human"' }).click()
  expect(await text.textContent()).toContain('{"id": "a", "type": "human"}')

  await writeAll(text, JSON.stringify(BUYING))
  await page.getByText('Dry run', { exact: true }).click()
  await page.getByRole('button', { name: 'Start dry run' }).click()
  await page.getByLabel('Output of price').fill('{"body": {"price": 7}}')
  await page.getByRole('button', { name: 'Repeat dry run' }).click()
  await page.getByLabel('Output of review').waitFor()
  await page.getByRole('button', { name: 'Repeat dry run' }).click()
  await page.getByText('"bought for 7"').first().waitFor()
  await page.getByRole('button', { name: /bought.*completed/ }).waitFor()
  await expectClean()
  await page.getByLabel('Output of review').fill('{"action": "reject"}')
  await page.getByRole('button', { name: 'Repeat dry run' }).click()
  await page.getByRole('button', { name: /left.*completed/ }).waitFor()
})

test('ports and names in expressions are completed from the definition', async () => {
  const { page } = await context.visit('/console/new-pathway')
  const text = page.getByRole('textbox', { name: 'Definition' })
  const step = (id: string, value: string) => ({ id, type: 'transform', with: { value } })
  const body = pathway([step('twice', '2'), step('out', '@body')])
  const definition = {
    ...pathway(
      [
        { id: 'total', type: 'switch', cases: [{ port: 'large', when: '@when' }] },
        { id: 'each', type: 'map', items: '${input.lines}', body: { nodes: body.nodes, edges: body.edges } },
        { id: 'again', type: 'loop', max: 3, until: '@until', body: { nodes: body.nodes, edges: [] } },
        { id: 'review', type: 'human', kind: 'approval', due: 'P1D' },
      ],
      'total.@switch > each',
      'review.@human > each',
    ),
    input: { type: 'object', properties: { vendor: { type: 'object', properties: { iban: {} } }, lines: {} } },
  }
  /** Replaces a marker with text, and waits for the suggestions. */
  const write = async (mark: string, written: string, ...expected: string[]): Promise<void> => {
    const [before = '', after = ''] = JSON.stringify(definition).split(mark)
    await writeAll(text, after)
    await text.press('Control+Home')
    await page.keyboard.insertText(before)
    await page.keyboard.type(written)
    await page.keyboard.press('Control+Space')
    const labels = page.locator('.cm-completionLabel')
    const isOffered = async () => (await labels.allTextContents()).toSorted().join() === expected.join()
    await waitUntil(isOffered, undefined, async () => `offered: ${(await labels.allTextContents()).join()}`)
    await page.keyboard.press('Escape')
  }
  await write('@switch', '', '"default"', '"error"', '"large"')
  await write('@human', '', '"approve"', '"error"', '"reject"', '"timeout"')
  await write('@when', '', 'input', 'nodes', 'run')
  await write('@when', 'input.vendor.', 'iban')
  await write('@body', '${', 'index', 'input', 'item', 'nodes', 'run')
  await write('@until', 'last == 1 || nodes.', 'each', 'out', 'review', 'total', 'twice')
  await write('@until', 'nodes.out.', 'error', 'output', 'port', 'status')
})

test('two versions are compared in one graph and as JSON', async () => {
  const { client } = context.workspace
  const { nodes, edges } = BUYING
  await client.post('/v1/pathways', { slug: 'buy', title: 'Buy', definition: BUYING })
  const definition = {
    ...BUYING,
    nodes: [...nodes.slice(0, 3), { id: 'asked', type: 'transform', title: 'Say no', with: { value: 'no' } }, nodes[3]],
    edges: [...edges.slice(0, 2), { from: 'review', on: 'reject', to: 'asked' }, { from: 'asked', to: 'left' }],
  }
  await client.patch('/v1/pathways/buy', { definition })
  const { page, expectClean } = await context.visit('/console/pathways/buy', { width: 320 })
  await page.getByLabel('Compare with').selectOption('1')
  const changes = page.getByRole('region', { name: 'Changes', exact: true })
  await changes.getByText('asked default left').waitFor()
  expect(await changes.getByRole('listitem').allTextContents()).toEqual([
    'added asked',
    'removed edge review reject left',
    'added edge review reject asked',
    'added edge asked default left',
  ])
  await page.getByRole('region', { name: 'Changes as JSON' }).getByText('/document/definition').first().waitFor()
  await expectClean()
  await page.getByRole('button', { name: /Say no.*added/ }).click()
  await changes.getByText('This version has no such node.').waitFor()
})
