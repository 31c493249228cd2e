import fc from 'fast-check'
import { receptorParams } from '../../../contract/agents/receptor.ts'
import { jobParams } from '../../../contract/runs/control.ts'
import { deriveTitle } from '../../../domain/documents/documents.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'
import { deriveSlug, slugProblem, toSlug, createUniqueSlug } from '../../../domain/shared/text/slug.ts'
import { titleProblem, cleanTitle } from '../../../domain/shared/text/title.ts'
import { createUniqueNamer, TOOL_NAME, prefixName, toToolName } from '../../../domain/tools/names.ts'
import { newJobId } from '../../../services/runs/start/job-starter.ts'
import { awkwardText } from '../../support/shared/awkward-text.ts'

const text = awkwardText(300)
/** Titles that users are allowed to set. */
const title = awkwardText(200).filter(given => titleProblem(given) === undefined)
const slug = text.map(given => toSlug(given)).filter(Boolean)
const check = <T>(values: fc.Arbitrary<T>, predicate: (value: T) => void) =>
  fc.assert(fc.property(values, predicate), { numRuns: 2_000 })

describe('a derived slug is valid', () => {
  test('from any text, unless nothing of the text remains', () =>
    check(text, given => {
      const derived = toSlug(given)
      if (derived !== '') expect(slugProblem(derived)).toBeUndefined()
    }))
  test('for any resource', () =>
    check(fc.tuple(title, fc.uuid({ version: 7 })), ([given, id]) =>
      expect(slugProblem(deriveSlug(given, 'stakeholder-map', id))).toBeUndefined(),
    ))
  test('next to any existing slug', () =>
    check(fc.tuple(slug, fc.uuid({ version: 7 })), ([taken, id]) => {
      const another = createUniqueSlug(taken, id)
      expect(slugProblem(another)).toBeUndefined()
      expect(another).not.toBe(taken)
    }))
})

describe('a derived title is valid', () => {
  test('from any text of any length', () =>
    check(fc.tuple(text, fc.integer({ min: 1, max: 200 })), ([given, longest]) => {
      const derived = cleanTitle(given, longest)
      if (derived !== '') expect(titleProblem(derived)).toBeUndefined()
      expect(derived.length).toBeLessThanOrEqual(longest)
    }))
  test('when a word is put before any title', () =>
    check(title, given => expect(titleProblem(cleanTitle(`Transcript: ${given}`))).toBeUndefined()))
  test('for any document', () =>
    check(fc.record({ file_name: text, start: text, source_key: text }, { requiredKeys: [] }), sources =>
      expect(titleProblem(deriveTitle(sources))).toBeUndefined(),
    ))
})

test('the routes and Temporal accept a derived job id', () =>
  check(slug, given => {
    for (const jobId of [newJobId(given), `${given}-${deriveUuid(given)}`])
      expect(jobParams.safeParse({ jobId }).success).toBe(true)
  }))

test('the routes accept a derived slug', () =>
  check(slug, given =>
    expect(receptorParams.safeParse({ workspace_slug: given, slug_or_id: given }).success).toBe(true),
  ))

test('the transcript of six hours of speech fits into one meeting segment', () => {
  const transcript = [{ seq: 0, text: 'and then they said '.repeat(6 * 60 * 50) }]
  expect(getResourceKind('meetings').document.safeParse({ transcript }).success).toBe(true)
})

describe('a derived tool name is valid', () => {
  test('from any text', () => check(text, given => expect(toToolName(given)).toMatch(TOOL_NAME)))
  test('from any reflex', () =>
    check(fc.tuple(slug, text), ([reflex, given]) => expect(prefixName(reflex, toToolName(given))).toMatch(TOOL_NAME)))
  test('in combination with any others, and is unique', () =>
    check(fc.array(text, { maxLength: 20 }), given => {
      const names = [...given, ...given].map(createUniqueNamer())
      for (const name of names) expect(name).toMatch(TOOL_NAME)
      expect(new Set(names).size).toBe(names.length)
    }))
})
