/** Reads a header of a mail: its first value in lower case, or undefined. */
export type ReadHeader = (name: string) => string | undefined

const BULK = new Set(['bulk', 'list', 'junk', 'auto_reply'])
const SYSTEM_SENDERS = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/

/**
 * Returns why a mail must not be answered: a machine has sent it, and an answer could start a loop. Returns undefined
 * for a mail that a person wrote. https://www.rfc-editor.org/rfc/rfc3834
 */
export function findAutomaticReason(header: ReadHeader, from: string, ownAddress: string): string | undefined {
  if (header('content-type')?.startsWith('multipart/report') === true) return 'Delivery report'
  const submitted = header('auto-submitted')
  if (submitted !== undefined && submitted !== 'no') return 'Automatic reply'
  if (header('return-path') === '<>') return 'Delivery report'
  if (BULK.has(header('precedence') ?? '')) return 'Bulk message'
  if (header('list-id') !== undefined) return 'Mail from a mailing list'
  if (from === ownAddress.toLowerCase()) return "Mail from the channel's own address"
  if (SYSTEM_SENDERS.test(from)) return 'Mail from an address that accepts no replies'
  return undefined
}
