import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isDeeplyStorable } from '../../../domain/shared/json/storable.ts'

interface Exchange {
  method: string
  path: string
  status: number
  body: unknown
  isJson: boolean
}

export interface Contract {
  /** Throws unless the document describes the response. */
  check(exchange: Exchange): void
  /** Throws unless the document describes the event for the stream. */
  checkEvent(path: string, event: object): void
}

interface Response {
  content?: Record<string, unknown>
}

interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response | { $ref: string }> }>>
}

/**
 * Rejects fields that an object does not declare, unless the schema allows other fields. A field unknown to clients
 * is missing from the document.
 */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed: Record<string, unknown> = {}
  // The parts of an `allOf` describe the same object, so no part declares all of its fields.
  for (const [key, value] of Object.entries(schema)) closed[key] = key === 'allOf' ? value : closeObjects(value)
  const isObject = closed['type'] === 'object' && typeof closed['properties'] === 'object'
  return isObject ? { additionalProperties: false, ...closed } : closed
}

/** Checks responses against an OpenAPI document, and checks that their texts are well formed. */
export function createContract(raw: unknown): Contract {
  const document = raw as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(closeObjects(document) as object, 'openapi')
  const templates = Object.keys(document.paths).map(path => ({ path, pattern: patternOf(path) }))
  const validators = new Map<string, ValidateFunction>()

  function validate(ref: string, value: unknown, about: string): void {
    const validator = validators.get(ref) ?? ajv.compile({ $ref: `openapi#${ref}` })
    validators.set(ref, validator)
    if (!isDeeplyStorable(value)) throw new Error(`${about} holds U+0000 or half of a character`)
    if (!validator(value))
      throw new Error(`${about} does not fit ${ref}: ${ajv.errorsText(validator.errors)}\n${JSON.stringify(value)}`)
  }

  const findTemplate = (path: string) =>
    templates.filter(({ pattern }) => pattern.test(path)).sort((a, b) => count(a.path, '{') - count(b.path, '{'))[0]
      ?.path

  return {
    check({ method, path, status, body, isJson }) {
      const about = `${method} ${path} → ${status}`
      const template = findTemplate(path.split('?')[0] ?? '')
      const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()]
      if (template === undefined || !operation) return validate('/components/schemas/Error', body, about)
      const response = operation.responses[status]
      if (!response) throw new Error(`${about} is not in the document`)
      // Errors are shared responses that use one schema.
      if ('$ref' in response) return validate('/components/schemas/Error', body, about)
      if (!isJson || !response.content) return
      const place = [
        'paths',
        template,
        method.toLowerCase(),
        'responses',
        status,
        'content',
        'application/json',
        'schema',
      ]
      validate(buildRef(place), body, about)
    },
    checkEvent(path, event) {
      const template = findTemplate(path.split('?')[0] ?? '')
      const place = ['paths', template, 'get', 'responses', 200, 'content', 'text/event-stream', 'schema']
      validate(buildRef(place), event, `an event of ${path}`)
    },
  }
}

const buildRef = (place: unknown[]) => place.map(key => `/${encodeURIComponent(escape(String(key)))}`).join('')
const patternOf = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
const count = (text: string, part: string) => text.split(part).length - 1
