import { readAuthentication } from '../../../domain/channels/email/authentication-results.ts'
import { findAutomaticReason } from '../../../domain/channels/email/automatic.ts'
import { removeQuote } from '../../../domain/channels/email/quotes.ts'

const FROM = 'ann@example.com'
const read = (...headers: string[]) => readAuthentication(headers, 'mx.example.net', FROM)

test.each([
  ['a passing DMARC check', 'mx.example.net; spf=fail; dmarc=pass header.from=example.com', true],
  ['a failing DMARC check', 'mx.example.net; dkim=pass header.d=example.com; dmarc=fail', false],
  ["a signature of the sender's domain", 'mx.example.net; dkim=pass (2048-bit; ok) header.d="example.com"', true],
  ['a signature of another domain', 'mx.example.net; dkim=pass header.d=evil.test', false],
  ["an SPF check of the sender's domain", 'mx.example.net 1; spf = pass smtp.mailfrom=bounces@example.com', true],
  ['an SPF check of another domain', 'mx.example.net; spf=pass smtp.mailfrom=bounces@evil.test', false],
  ['no result', 'mx.example.net; none', false],
  ['another server', 'mx.evil.test; dmarc=pass header.from=example.com', false],
])('%s decides whether a mail is authentic', (_case, header, expected) => {
  expect(read(header).is_authentic).toBe(expected)
})

test('only the topmost header of the trusted server counts', () => {
  const [own, forged] = ['mx.example.net; dmarc=fail; spf=softfail', 'mx.example.net; dmarc=pass']
  expect(read(own, forged)).toEqual({ spf: 'softfail', dkim: null, dmarc: 'fail', is_authentic: false })
  expect(read()).toEqual({ spf: null, dkim: null, dmarc: null, is_authentic: false })
})

test.each([
  [{ 'auto-submitted': 'auto-replied' }, FROM, true],
  [{ 'auto-submitted': 'no' }, FROM, false],
  [{ 'return-path': '<>' }, FROM, true],
  [{ 'content-type': 'multipart/report; report-type=delivery-status' }, FROM, true],
  [{ precedence: 'bulk' }, FROM, true],
  [{ 'list-id': '<news.example.com>' }, FROM, true],
  [{}, 'agent@example.com', true],
  [{}, 'no-reply@example.com', true],
  [{}, FROM, false],
])('automatic mail is recognized: %j from %s', (headers: Record<string, string>, from, isAutomatic) => {
  expect(findAutomaticReason(name => headers[name], from, 'Agent@example.com') !== undefined).toBe(isAutomatic)
})

test.each([
  ['Yes, please.\n\nOn Monday, Ann wrote:\n> Really?\n>\n> Ann\n', 'Yes, please.'],
  ['Yes.\nOn Monday 1 June at 10:00\nAnn <ann@example.com> wrote:\n> Really?', 'Yes.'],
  ['> quoted first\n\nMy answer', '> quoted first\n\nMy answer'],
  ['These are open:\n- one\n', 'These are open:\n- one'],
  ['> only a quote', ''],
])('the quoted mail at the end is removed: %j', (text, expected) => {
  expect(removeQuote(text)).toBe(expected)
})
