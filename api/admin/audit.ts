import { InvalidArgumentError, Option, type Command } from 'commander'
import { createAccessAdmin } from '../../services/access/admin.ts'
import { readFileSync } from 'node:fs'
import { type ChainReport, verifyChain } from '../../services/audit/verify-chain.ts'
import { type VotesReport, verifyVotes } from '../../services/audit/verify-votes.ts'
import { createSigner } from '../../services/people/evidence/signer.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the audit log command. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('Workspace audit log')
    .command('verify')
    .description('Verify the audit log against its seals, and all votes against their signatures and audit log entries')
    .requiredOption('--workspace <slug>', 'workspace')
    .addOption(
      new Option('--head <seq:hash>', 'head printed by an earlier verification; the log must contain it').argParser(
        readHead,
      ),
    )
    .addOption(
      new Option('--key <file>', 'public key (PEM) that is no longer in EVIDENCE_KEYS; repeatable')
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
  const counts = `${verified} votes match their signatures; ${unsigned} were recorded without a signing key.`
  const lines = problems.map(({ intervention_id, message, code }) => `Task ${intervention_id}: ${message} (${code}).`)
  return [...lines, counts].join('\n')
}

function readHead(text: string): { seq: number; hash: string } {
  const [, seq, hash = ''] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined) throw new InvalidArgumentError('Use the format that the command prints: <seq>:<hash>.')
  return { seq: Number(seq), hash }
}

function describeChain({ verified, expired, waiting, head, problem }: ChainReport): string {
  const counts = `${verified} entries match their seals; ${expired} have expired, ${waiting} are not yet sealed.`
  const last = head ? `\nHead: ${head.seq}:${head.hash}` : ''
  return problem ? `The log has been changed: ${problem.message} (${problem.kind}).\n${counts}` : `${counts}${last}`
}
