import { InvalidArgumentError, Option, type Command } from 'commander'
import { createAccessAdmin } from '../../services/access/admin.ts'
import { readFileSync } from 'node:fs'
import { type ChainReport, verifyChain } from '../../services/audit/verify-chain.ts'
import { type VotesReport, verifyVotes } from '../../services/audit/verify-votes.ts'
import { createSigner } from '../../services/people/evidence/signer.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the command about the audit log. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('The audit log of a workspace')
    .command('verify')
    .description(
      'Compare the audit log with its seals, and the votes of all decisions with their signatures and audit log entries',
    )
    .requiredOption('--workspace <slug>', 'whose log')
    .addOption(
      new Option('--head <seq:hash>', 'a head that an earlier verification printed, which must be in it').argParser(
        readHead,
      ),
    )
    .addOption(
      new Option('--key <file>', 'a public key as PEM that EVIDENCE_KEYS no longer has; may be given several times')
        .argParser((file: string, former: string[]) => [...former, readFileSync(file, 'utf8')])
        .default([]),
    )
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; head?: { seq: number; hash: string }; key: string[] } & Output) =>
      withStores(1, async ({ db }, config) => {
        const { workspace_id } = await createAccessAdmin({ db, secret: config.API_KEY_SECRET }).manage(
          options.workspace,
        )
        const chain = await verifyChain(db, workspace_id, options.head)
        const keys = [...createSigner(config).listKeys(), ...options.key.map(public_key => ({ public_key }))]
        const votes = await verifyVotes(db, { id: workspace_id, slug: options.workspace }, keys)
        say(options.json, { ...chain, votes }, `${describeChain(chain)}\n${describeVotes(votes)}`)
        if (chain.problem || votes.problems.length > 0) process.exitCode = 1
      }),
    )
}

function describeVotes({ verified, unsigned, problems }: VotesReport): string {
  const counts = `${verified} votes are as they were signed; ${unsigned} were recorded without a key.`
  const lines = problems.map(({ intervention_id, message, code }) => `Task ${intervention_id}: ${message} (${code}).`)
  return [...lines, counts].join('\n')
}

function readHead(text: string): { seq: number; hash: string } {
  const [, seq, hash = ''] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined) throw new InvalidArgumentError('Give it as printed: <number>:<hash>.')
  return { seq: Number(seq), hash }
}

function describeChain({ verified, expired, waiting, head, problem }: ChainReport): string {
  const counts = `${verified} entries are as they were sealed; ${expired} have expired, ${waiting} wait for their seal.`
  const last = head ? `\nHead: ${head.seq}:${head.hash}` : ''
  return problem ? `The log was changed: ${problem.message} (${problem.kind}).\n${counts}` : `${counts}${last}`
}
