import { domainToASCII } from 'node:url'
import { pino } from 'pino'
import { parseMail } from '../../../services/channels/email/parse.ts'

const SERVER = { host: 'mail.test', port: 993, security: 'tls', user: 'agent' } as const
const SETTINGS = {
  from: 'agent@mail.test',
  smtp: SERVER,
  imap: { ...SERVER, mailbox: 'INBOX', authserv_id: 'mx.mail.test' },
}

const parse = (...lines: string[]) => {
  const source = Buffer.from(lines.join('\r\n'))
  const stored = { source, size: source.length, isTooLarge: false, arrived_at: new Date() }
  return parseMail(stored, SETTINGS, pino({ level: 'silent' }))
}

test('a sender with an international domain is authentic if the server has checked the encoded domain', async () => {
  const [domain = '', other = ''] = ['café.test', 'naïve.test'].map(domainToASCII)
  const parseFrom = (checked: string) =>
    parse(`Authentication-Results: mx.mail.test; dmarc=pass header.from=${checked}`, `From: ann@${domain}`, '', 'Hi')
  expect((await parseFrom(domain)).received).toMatchObject({
    from: 'ann@café.test',
    authentication: { is_authentic: true },
  })
  expect((await parseFrom(other)).received.authentication.is_authentic).toBe(false)
})

test('characters that cannot be stored are replaced, and addresses and ids with them are left out', async () => {
  const [nul, surrogate] = ['=?utf-8?q?a=00b?=', '=?utf-16le?B?ANg=?=']
  const { received, text, attachments } = await parse(
    `Authentication-Results: mx.mail.test; spf="\0"`,
    `From: ${nul}@mail.test`,
    `Subject: ${nul} ${surrogate}`,
    `Message-ID: ${surrogate}`,
    `References: ${surrogate} <first@mail.test>`,
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    '',
    'a\0b',
    '--part',
    `Content-Disposition: attachment; filename="${nul}${surrogate}"`,
    '',
    'file',
    '--part--',
  )
  expect(received).toMatchObject({
    from: '',
    subject: 'ab\ufffd',
    message_id: null,
    references: ['<first@mail.test>'],
    authentication: { spf: '\ufffd' },
  })
  expect(text).toBe('ab')
  expect(attachments).toMatchObject([{ name: 'a b\ufffd' }])
})

test('an address that is too long is left out', async () => {
  expect((await parse(`From: ${'a'.repeat(3_000)}@mail.test`, '', 'Hi')).received.from).toBe('')
})
