import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { addCommand, type Context, option } from '../command.ts'
import { CliError, EXIT, usageError } from '../exit.ts'

interface Signed {
  document: object
  signature: { key_id: string; value: string } | null
}

/** The proof of a decision. */
export function addEvidenceCommands(inbox: Command): void {
  addCommand(inbox, {
    name: 'evidence <id>',
    summary: 'Print what proves a decision, as a signed document',
    example: 'inbox evidence 4d1c2f0e --json > evidence.json',
    run: async (context, [id = '']) => {
      const client = await context.client()
      const found = await client.inbox.evidence(id)
      await context.print(found, one => JSON.stringify(one, null, 2))
    },
  })
  addCommand<{ key?: string }>(inbox, {
    name: 'verify-evidence <file>',
    summary: 'Verify the signature of a document, with the keys of the service or with a key of your own',
    example: 'inbox verify-evidence evidence.json --key evidence.pem',
    options: [option('--key <file>', 'a public key as PEM, kept from the service; no connection is needed')],
    run: async (context, [file = ''], { key }) => {
      const { document, signature } = parseSigned(readText(file), file)
      if (!signature) throw new CliError(EXIT.error, 'The document is not signed')
      const pem = key === undefined ? await findKey(context, signature.key_id) : readText(key)
      const text = Buffer.from(toCanonical(document))
      if (!verify(null, text, parseKey(pem, key), Buffer.from(signature.value, 'base64')))
        throw new CliError(EXIT.error, 'The signature does not fit: the document or the key is another')
      await context.print({ verified: true, key_id: signature.key_id }, one => `signed with the key ${one.key_id}`)
    },
  })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usageError((error as Error).message)
  }
}

function parseSigned(text: string, file: string): Signed {
  try {
    const { document, signature } = JSON.parse(text) as Signed
    const isSigned = typeof signature?.value === 'string' && typeof signature.key_id === 'string'
    if (typeof document === 'object' && document !== null && (signature === null || isSigned))
      return { document, signature }
  } catch {
    // Reported below, as for JSON of another shape.
  }
  throw usageError(`${file} is not a document as \`inbox evidence --json\` prints it`)
}

function parseKey(pem: string, file = 'The key of the service'): KeyObject {
  try {
    return createPublicKey(pem)
  } catch {
    throw usageError(`${file} is not a public key as PEM`)
  }
}

/** Canonical JSON (RFC 8785): names in their order, no space. */
function toCanonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toCanonical).join(',')}]`
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, one]) => `${JSON.stringify(name)}:${toCanonical(one)}`).join(',')}}`
}

async function findKey(context: Context, id: string): Promise<string> {
  const { data } = await (await context.client()).inbox.evidenceKeys()
  const found = data.find(({ key_id }) => key_id === id)
  if (!found) throw new CliError(EXIT.notFound, `The service has no key ${id}`)
  return found.public_key
}
