import { checkEditable } from '../../domain/resources/checking.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import { openDocumentValidator } from '../../services/resources/document-validator.ts'

const checker = openDocumentValidator()
afterAll(() => checker.close())

const reflex = (openapi: object) => ({
  title: 'Things',
  slug: 'things',
  path: '/',
  brain_id: null,
  is_active: true,
  document: { source: 'openapi', openapi: JSON.stringify(openapi) },
})
const described = (parameter: object) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1', description: 'x'.repeat(20_000) },
  servers: [{ url: 'https://things.example' }],
  paths: { '/things/{id}': { get: { operationId: 'getThing', parameters: [parameter] } } },
})
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

describe('a large document', () => {
  test.each([
    ['that is right', described(id)],
    ['that has problems', described({ ...id, in: 'nowhere' })],
  ])('%s is checked elsewhere, with the same outcome', async (_, openapi) => {
    const wanted = reflex(openapi)
    const kind = getResourceKind('reflexes')
    const checked = checker.validate(wanted, kind)
    expect(checked).toBeInstanceOf(Promise)
    expect(await checked).toEqual(checkEditable(wanted, kind))
  })
})
