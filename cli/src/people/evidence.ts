import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type EvidenceKey, type EvidenceReport, verifyEvidence } from '@ganglion/client/evidence'
import { type CommandSpec, type Context, option } from '../shared/command.ts'
import { operation } from '../shared/operation.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'

/** Commands for decision evidence. */
export const evidenceCommands = (): CommandSpec<never>[] => [
  operation('interventions.evidence', {
    name: 'evidence <id>',
    summary: 'Print the evidence of a decision as a signed document',
    example: 'inbox evidence 4d1c2f0e --json > evidence.json',
  }),
  {
    name: 'verify-evidence <file>',
    summary: "Verify evidence: signatures, hashes, votes and audit log entries, with the service's keys or your own",
    example: 'inbox verify-evidence evidence.json --key evidence.pem',
    options: [option('--key <file>', 'PEM file with public keys exported from the service; works offline')],
    run: async (context, [file = ''], { key }: { key?: string }) => {
      const evidence = parseEvidence(readText(file), file)
      const keys = key === undefined ? await fetchKeys(context) : parseKeys(readText(key), key)
      const report = await verifyEvidence(evidence, keys)
      await context.print(report, describeReport)
      if (!report.verified) throw new CliError(EXIT.error, 'The evidence could not be verified')
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
    // Reported below, together with JSON that is not evidence.
  }
  throw usageError(`${file} does not contain evidence. Create it with \`inbox evidence --json\``)
}

/** Parses one or more keys. A file may contain several, because older votes were signed with older keys. */
function parseKeys(text: string, file: string): EvidenceKey[] {
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []
  try {
    for (const block of blocks) createPublicKey(block)
  } catch {
    throw usageError(`${file} contains a key that is not a PEM public key`)
  }
  if (blocks.length === 0) throw usageError(`${file} does not contain a PEM public key`)
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
