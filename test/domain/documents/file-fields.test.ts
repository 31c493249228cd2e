import { listFileValues } from '../../../domain/documents/file-fields.ts'

const file = { type: 'string', format: 'file' }
const list = (schema: object, value: object) =>
  listFileValues(schema as never, value as never, '/data').map(({ pointer, id }) => [pointer, id])

describe('the file fields of a form', () => {
  test('are found in properties, lists and local references', () => {
    const schema = {
      $defs: { scan: file },
      properties: {
        cover: { $ref: '#/$defs/scan' },
        pages: { type: 'array', items: { type: 'object', properties: { 'a/b': file } } },
        pair: { prefixItems: [file, { type: 'string' }] },
      },
    }
    expect(list(schema, { cover: '1', pages: [{ 'a/b': '2' }, {}], pair: ['3', 'no file'], other: '4' })).toEqual([
      ['/data/cover', '1'],
      ['/data/pages/0/a~1b', '2'],
      ['/data/pair/0', '3'],
    ])
  })

  test('are found in conditional parts, once for each value', () => {
    const schema = {
      properties: { receipt: file },
      allOf: [{ if: { properties: { kind: { const: 'company' } } }, else: { properties: { receipt: file } } }],
      dependentSchemas: { kind: { properties: { register: file } } },
    }
    expect(list(schema, { receipt: '1', register: '2' })).toEqual([['/data/receipt', '1']])
    expect(list(schema, { kind: 'x', receipt: '1', register: '2' })).toEqual([
      ['/data/receipt', '1'],
      ['/data/register', '2'],
    ])
  })

  test('are found in circular references', () => {
    const node = { properties: { scan: file, next: { $ref: '#/$defs/node' } }, allOf: [{ $ref: '#/$defs/node' }] }
    const value = { scan: '1', next: { scan: '2' } }
    expect(list({ $defs: { node }, $ref: '#/$defs/node' }, value)).toEqual([
      ['/data/scan', '1'],
      ['/data/next/scan', '2'],
    ])
    expect(list({ $ref: '#', format: 'file' }, value)).toEqual([])
  })
})
