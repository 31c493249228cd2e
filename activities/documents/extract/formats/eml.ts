import PostalMime, { type Address, type Email } from 'postal-mime'
import { brokenDocumentError } from '../../../../services/documents/reading/document-error.ts'
import { escapeText } from '../../../../services/documents/reading/escape.ts'
import { BoundedText, cleanLine } from '../../../../services/documents/reading/text.ts'
import type { Format } from '../../../../services/documents/reading/formats/format.ts'
import { markdownFromHtml } from '../markdown/from-html.ts'

const MAX_HEADER_CHARS = 2_000
const NOT_READ = 'Attachments are listed but not read'

/** Converts an email to Markdown: subject, people, date, body, and attachment names. */
export const eml: Format = async ({ bytes, limits }) => {
  const email = await PostalMime.parse(bytes)
  if (email.headers.length === 0) throw brokenDocumentError('The email has no headers')
  const { subject, from, date } = email
  const attachments = email.attachments.flatMap(({ filename }) => filename ?? [])
  const paragraphs = [
    subject && `# ${escapeLine(subject)}`,
    listHeaders(email),
    readBody(email, limits.textChars),
    attachments.length > 0 && `Attachments:\n\n${attachments.map(name => `- ${escapeLine(name)}`).join('\n')}`,
  ]
  const out = new BoundedText(limits.textChars)
  for (const paragraph of paragraphs) if (paragraph) out.add(out.length > 0 ? `\n\n${paragraph}` : paragraph)
  const note = attachments.length > 0 ? NOT_READ : undefined
  return {
    text: out.toString(),
    title: subject,
    metadata: { author: from && formatAddress(from), created: date, note },
  }
}

function listHeaders({ from, to, cc, date }: Email): string {
  const people = (
    [
      ['From', from && [from]],
      ['To', to],
      ['Cc', cc],
    ] as const
  ).flatMap(([name, all]) => (all?.length ? [`${name}: ${all.map(formatAddress).join(', ')}`] : []))
  return [...people, ...(date ? [`Date: ${date}`] : [])].map(escapeLine).join('\n')
}

function formatAddress(address: Address): string {
  const { name } = address
  if (address.group) return `${name}: ${address.group.map(formatAddress).join(', ')}`
  return name && address.address ? `${name} (${address.address})` : name || (address.address ?? '')
}

const escapeLine = (text: string): string => escapeText(cleanLine(text, MAX_HEADER_CHARS) ?? '')

function readBody({ text = '', html }: Email, maxChars: number): string {
  if (text.trim() !== '' || html === undefined) return escapeText(text.trim())
  const out = new BoundedText(maxChars)
  markdownFromHtml(html, out)
  return out.toString().trim()
}
