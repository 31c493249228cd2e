import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'

type Schema = JsonObject

const BULLET = /^\s*(?:[-*•–]|\d+[.)])\s+/
/** Matches a name of at least two capitalized words, such as Ann Ito or Lena van den Berg. */
const NAME =
  "\\p{Lu}[\\p{L}\\p{M}'’.-]*(?: (?:van|von|der|den|de|da|di|la|le|el|al|bin))*(?: \\p{Lu}[\\p{L}\\p{M}'’-]+){1,3}"
const PERSON = new RegExp(`^(${NAME})(?:\\s*\\(([^()]{1,120})\\)|\\s*(?:[:,]|\\s[–—-])\\s+(.+))?[.]?$`, 'u')
const RELATION = new RegExp(`^(${NAME}) ([a-z]+(?: [a-z]+){0,2}) (${NAME})[.!]?$`, 'u')
const STANCE = /\b(?:support|oppos|block|neutral|scepti|skepti|champion|against|in favou?r)/i
/** Text after a name counts as a description if it is not a sentence and not longer than this. */
const MAX_ABOUT_CHARS = 80
const MAX_RECORDS = 200

/**
 * Reads people or relations from the lines and sentences of a text. The list items must be objects with the fields
 * `name`, or `from`, `to` and `type`. Examples: `Ann Ito (CFO)`, `- Bob Ray, CTO at Acme, sceptical`, `Ann Ito
 * reports to Bob Ray.` Returns undefined for other list items.
 */
export function readRecords(text: string, item: Schema): JsonValue[] | undefined {
  const properties = (item.properties ?? {}) as Record<string, Schema>
  const lines = text.split('\n').map(line => line.replace(BULLET, '').trim())
  if ('from' in properties && 'to' in properties && 'type' in properties)
    return buildRecords(lines.flatMap(readRelations), item)
  if ('name' in properties) return buildRecords(mergeByName(lines.flatMap(readPeople)), item)
  return undefined
}

type Fields = Record<string, string>

const sentencesOf = (line: string): string[] => line.split(/(?<=[.!?])\s+/)

const readRelations = (line: string): Fields[] =>
  sentencesOf(line).flatMap(sentence => {
    const [, from, type, to] = RELATION.exec(sentence) ?? []
    return from && type && to ? [{ from, type: type.replaceAll(' ', '_'), to }] : []
  })

function readPeople(line: string): Fields[] {
  const named = readRelations(line).flatMap(({ from = '', to = '' }) => [{ name: from }, { name: to }])
  const [, name, inBrackets, after = ''] = PERSON.exec(line) ?? []
  if (name === undefined || named.length > 0) return named
  const about = inBrackets ?? (after.length <= MAX_ABOUT_CHARS && !/[.!?]$/.test(after) ? after : '')
  return [{ name, ...readAbout(about) }]
}

function readAbout(about: string): Fields {
  const parts = about.split(/\s*[,;]\s*/).filter(Boolean)
  const stance = parts.find(part => STANCE.test(part))
  const role = parts.find(part => part !== stance)
  const [, job, organization] = /^(.+?) at (\p{Lu}.*)$/u.exec(role ?? '') ?? []
  return {
    ...(role && { role: job ?? role }),
    ...(organization && { organization }),
    ...(stance && { stance: stance.replace(/^stance:?\s*/i, '') }),
  }
}

function mergeByName(people: Fields[]): Fields[] {
  const byName = new Map<string, Fields>()
  for (const person of people) byName.set(person['name'] ?? '', { ...person, ...byName.get(person['name'] ?? '') })
  return [...byName.values()]
}

/**
 * Keeps only the fields that the schema contains. A missing required field is null if the schema allows null, and
 * otherwise empty.
 */
function buildRecords(records: Fields[], item: Schema): JsonValue[] {
  const properties = (item.properties ?? {}) as Record<string, Schema>
  const required = Array.isArray(item.required) ? item.required : []
  return records.slice(0, MAX_RECORDS).map(fields =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, { type }]) => {
        const value = fields[name]
        if (value !== undefined) return [[name, value]]
        if (!required.includes(name)) return []
        return [[name, Array.isArray(type) && type.includes('null') ? null : '']]
      }),
    ),
  )
}
