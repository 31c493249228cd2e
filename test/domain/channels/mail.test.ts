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
  ['a quoted value', 'mx.example.net; spf=pass (sender (a) "b") smtp.mailfrom="a b"@example.com', true],
  ['a comment next to a result', '(by) mx.example.net; dmarc=pass(p=REJECT) header.from=Example.com', true],
  ['no result', 'mx.example.net; none', false],
  ['another server', 'mx.evil.test; dmarc=pass header.from=example.com', false],
])('%s decides whether a mail is authentic', (_case, header, expected) => {
  expect(read(header).is_authentic).toBe(expected)
})

test.each([
  ['a quoted local part', 'spf=pass smtp.mailfrom="x; dmarc=pass; y"@evil.test; dkim=none; dmarc=fail', 'fail'],
  ['an escaped quotation mark', String.raw`spf=pass smtp.mailfrom="\"; dmarc=pass; y"@evil.test; dmarc=fail`, 'fail'],
  ['a quoted identity', 'dkim=pass header.i="x header.d=example.com y"@evil.test header.d=evil.test', null],
  ['a quoted identity at the end', 'dkim=pass header.d=evil.test header.i="x header.d=example.com y"@evil.test', null],
  ['an address in a comment', 'spf=pass (mx: domain of "a) ; dmarc=pass ("@evil.test) smtp.mailfrom=evil.test', null],
  ['a nested comment', 'spf=pass (of (a) ; dmarc=pass (b)) smtp.mailfrom=evil.test', null],
  ['an escaped parenthesis', String.raw`spf=pass (of a\) ; dmarc=pass \(b) smtp.mailfrom=evil.test`, null],
  ['an unquoted address', 'spf=pass (mx: of a) ; dmarc=pass (@evil.test) smtp.mailfrom=evil.test; dmarc=fail', 'pass'],
  ['the DMARC result of another domain', 'dmarc=pass header.from=evil.test', 'pass'],
  ['a string without an end', 'dkim=pass header.d=example.com header.i="x', null],
  ['a comment without an end', 'dkim=pass header.d=example.com (x', null],
  ['a quotation mark in a comment', 'dkim=pass header.d=example.com (5" of text)', null],
])('%s does not make a mail authentic', (_case, results, dmarc) => {
  expect(read(`mx.example.net; ${results}`, 'mx.example.net; dmarc=pass')).toMatchObject({ dmarc, is_authentic: false })
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
