import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type EvidenceKey, type EvidenceReport, verifyEvidence } from '@ganglion/client/evidence'
import { type CommandSpec, type Context, option } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'

/** The proof of a decision. */
export const evidenceCommands = (): CommandSpec<never>[] => [
  operation('interventions.evidence', {
    name: 'evidence <id>',
    summary: 'Print what proves a decision, as a signed document',
    example: 'inbox evidence 4d1c2f0e --json > evidence.json',
  }),
  {
    name: 'verify-evidence <file>',
    summary: 'Verify signatures, hashes, votes and audit log entries, with the keys of the service or with your own',
    example: 'inbox verify-evidence evidence.json --key evidence.pem',
    options: [option('--key <file>', 'public keys as PEM, kept from the service; works without a connection')],
    run: async (context, [file = ''], { key }: { key?: string }) => {
      const evidence = parseEvidence(readText(file), file)
      const keys = key === undefined ? await fetchKeys(context) : parseKeys(readText(key), key)
      const report = await verifyEvidence(evidence, keys)
      await context.print(report, describeReport)
      if (!report.verified) throw new CliError(EXIT.error, 'The evidence is not verified')
    },
  },
]

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw usageError((error as Error).message)
  }
}

function parseEvidence(text: string, file: string): object {
  try {
    const evidence = JSON.parse(text) as unknown
    if (typeof evidence === 'object' && evidence !== null && 'document' in evidence) return evidence
  } catch {
    // Reported below, as for JSON of another shape.
  }
  throw usageError(`${file} is not evidence as \`inbox evidence --json\` prints it`)
}

/** A file may have several keys: votes keep the signatures of former keys. */
function parseKeys(text: string, file: string): EvidenceKey[] {
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []
  try {
    for (const block of blocks) createPublicKey(block)
  } catch {
    throw usageError(`${file} has a key that is not a public key as PEM`)
  }
  if (blocks.length === 0) throw usageError(`${file} has no public key as PEM`)
  return blocks.map(public_key => ({ public_key }))
}

async function fetchKeys(context: Context): Promise<EvidenceKey[]> {
  return (await (await context.client()).inbox.evidenceKeys()).data
}

function describeReport({
  verified,
  problems,
  key_ids,
  votes,
  disclosed_texts,
  withheld_texts,
}: EvidenceReport): string {
  const texts = `${disclosed_texts} texts disclosed, ${withheld_texts} withheld or removed`
  if (verified)
    return `Verified: ${votes} ${votes === 1 ? 'vote' : 'votes'}, signed with ${key_ids.join(', ')}; ${texts}.`
  const lines = problems.map(({ code, pointer, message }) => `${code} ${pointer}: ${message}`)
  return ['Not verified:', ...lines].join('\n')
}
