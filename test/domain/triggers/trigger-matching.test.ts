import fc from 'fast-check'
import type { WorkspaceEvent } from '../../../domain/webhooks/events.ts'
import { findMatch } from '../../../domain/triggers/types/chat.ts'
import { event as eventType, findDebounceKey, matchesEvent } from '../../../domain/triggers/types/event.ts'

const settings = (fields: object) => eventType.settings.parse({ types: ['resource.*', 'job.failed'], ...fields })

const changed = (path: string, fields: Partial<WorkspaceEvent> = {}): WorkspaceEvent => ({
  id: 'e',
  type: 'resource.updated',
  at: '2026-03-01T12:00:00.000Z',
  resource: { id: 'r', type: 'skills', slug: 's', version: 2, path, brain_id: null },
  ...fields,
})
const failed = changed('', {
  type: 'job.failed',
  resource: undefined,
  job: { id: 'j', kind: 'pathway', status: 'failed', root_job_id: 'j' },
})

test('an event is matched by type, folder and resource kind', () => {
  expect(matchesEvent(settings({}), changed('/a'))).toBe(true)
  expect(matchesEvent(settings({}), failed)).toBe(true)
  expect(matchesEvent(settings({ types: ['resource.created'] }), changed('/a'))).toBe(false)
  for (const [path, fits] of [
    ['/a', true],
    ['/a/b', true],
    ['/ab', false],
    ['/', false],
  ] as const)
    expect([path, matchesEvent(settings({ path: '/a' }), changed(path))]).toEqual([path, fits])
  expect(matchesEvent(settings({ path: '/' }), changed('/any'))).toBe(true)
  expect(matchesEvent(settings({ path: '/a' }), failed)).toBe(false)
  expect(matchesEvent(settings({ resource_types: ['assets'] }), changed('/a'))).toBe(false)
})

test('events are grouped according to the debounce settings', () => {
  const key = (by?: string, event = changed('/a')) => findDebounceKey(settings({ debounce: { seconds: 5, by } }), event)
  expect([key(), key('path'), key('type'), key('trigger')]).toEqual(['r', '/a', 'resource.updated', ''])
  expect([key('subject', failed), key('path', failed)]).toEqual(['j', 'job.failed'])
  expect(findDebounceKey(settings({}), changed('/a'))).toBeUndefined()
})

describe('messages', () => {
  const find = (text: string, phrases: string[], mentions: string[] = []) => findMatch({ phrases, mentions }, text)

  test.each([
    ['I want my  MONEY\nback!', 'Money back'],
    ['money back', 'money back'],
    ['Bitte Geld zurück.', 'geld zurück'],
    ['我要退款', '我要退款'],
    ['(refund)', 'refund'],
    ['c++ is fine', 'c++'],
  ])('%j contains %j', (text, phrase) => expect(find(text, ['nothing', phrase])).toBe(phrase))

  test.each([
    ['money backpack', 'money back'],
    ['refunds', 'refund'],
    ['prerefund', 'refund'],
    ['money. back', 'money back'],
  ])('%j does not contain %j', (text, phrase) => expect(find(text, [phrase])).toBeUndefined())

  test.each([
    ['Hey @Billing, call me', 'billing', true],
    ['@billing', '@billing', true],
    ['write to me@billing.example', 'billing', false],
    ['@billingteam', 'billing', false],
    ['billing', 'billing', false],
  ])('%j with the mention %j: %j', (text, name, isFound) =>
    expect(find(text, [], [name])).toBe(isFound ? name : undefined),
  )

  test('a phrase is found anywhere in a text, but only between word boundaries', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(words, words, words, (before, phrase, after) => {
        const text = phrase.join(' ')
        expect(find([...before, ...phrase, ...after].join('  '), [text])).toBe(text)
      }),
    )
  })
})
