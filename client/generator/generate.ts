import openapiTypes, { astToString } from 'openapi-typescript'
import { type AnswerKind, type ClientOperation, listOperations, type OpenApiDocument } from './document.ts'

/** Methods of the base class, by return value. */
const HELPERS: Record<AnswerKind, string> = {
  call: 'sendCall',
  page: 'getPage',
  raw: 'fetchRaw',
  stream: 'openStream',
}

const NOTICE = '// Generated from client/openapi.json by `npm run client:generate`. Do not edit.\n'

/** Contents of the generated files, by path in `client/`. */
export type GeneratedFiles = Record<string, string>

/**
 * Generates the client files from an OpenAPI document: the document itself, its types, the operations and their
 * methods.
 */
export async function generateClient(document: OpenApiDocument): Promise<GeneratedFiles> {
  const operations = listOperations(document)
  // Pass a copy, because the type generator modifies the document.
  const types = astToString(
    await openapiTypes(structuredClone(document) as never, { defaultNonNullable: false, emptyObjectsUnknown: true }),
  )
  return {
    'openapi.json': `${escapeInvisible(JSON.stringify(document))}\n`,
    'src/generated/api.ts': `${NOTICE}\n${types}`,
    'src/generated/operations.ts': renderOperations(operations),
    'src/generated/resources.ts': renderResources(operations),
  }
}

/** Escapes invisible characters in patterns, because editors would hide them. */
const escapeInvisible = (json: string): string =>
  json.replaceAll(/\p{Cf}/gu, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

function renderOperations(operations: ClientOperation[]): string {
  const lines = operations.map(({ id, method, path, repeats }) => `  '${id}': '${method} ${path} ${repeats}',`)
  return `${NOTICE}
/** Method, path and \`x-idempotent\` of each operation. */
export const OPERATIONS = {
${lines.join('\n')}
} as const
`
}

function renderResources(operations: ClientOperation[]): string {
  const nouns = Map.groupBy(operations, ({ noun }) => noun)
  const classes = [...nouns].map(([noun, methods]) => renderClass(noun, methods))
  return `${NOTICE}
import type { ApiPromise } from '../core/api-promise.ts'
import type { EventStream } from '../core/event-stream.ts'
import type { PagePromise } from '../core/pages.ts'
import { Resource } from '../core/resource.ts'
import type { RequestOptions, Transport } from '../core/transport.ts'
import type { Body, Data, Item, Query, StreamEvent, StreamOptions } from '../types.ts'

${classes.join('\n')}
/** All operations of the document, by noun and verb. */
export class Operations {
  readonly transport: Transport
${[...nouns.keys()].map(noun => `  readonly ${noun}: ${buildClassName(noun)}`).join('\n')}

  constructor(transport: Transport) {
    this.transport = transport
${[...nouns.keys()].map(noun => `    this.${noun} = new ${buildClassName(noun)}(transport)`).join('\n')}
  }
}
`
}

const renderClass = (noun: string, methods: ClientOperation[]) =>
  `export class ${buildClassName(noun)} extends Resource {\n${methods.map(renderMethod).join('\n')}}\n`

/** Example: \`JobsOperations\`. */
const buildClassName = (noun: string) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}Operations`

function renderMethod(operation: ClientOperation): string {
  const { id, verb, method, path, summary, pathParameters, answer } = operation
  const names = pathParameters.map(toCamelCase)
  const payload = renderPayload(operation)
  const options = answer === 'stream' ? 'options?: StreamOptions' : 'options?: RequestOptions'
  const parameters = [
    ...names.map(name => `${name}: string${name === 'version' ? ' | number' : ''}`),
    ...payload.parameters,
    options,
  ]
  const args = [`'${id}'`, `[${names.join(', ')}]`, payload.argument, 'options']
  return `  /** ${summary}. \`${method} ${path}\` */
  ${verb}(${parameters.join(', ')}): ${renderAnswer(operation)} {
    return this.${HELPERS[answer]}(${args.join(', ')})
  }
`
}

function renderPayload({ id, takes, isRequired }: ClientOperation): { parameters: string[]; argument: string } {
  if (takes === undefined) return { parameters: [], argument: '{}' }
  const type = takes === 'body' ? `Body<'${id}'>` : `Query<'${id}'>`
  return { parameters: [`${takes}${isRequired ? '' : '?'}: ${type}`], argument: `{ ${takes} }` }
}

function renderAnswer({ id, answer }: ClientOperation): string {
  if (answer === 'page') return `PagePromise<Item<'${id}'>>`
  if (answer === 'raw') return 'ApiPromise<Response>'
  if (answer === 'stream') return `EventStream<StreamEvent<'${id}'>>`
  return `ApiPromise<Data<'${id}'>>`
}

const toCamelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
