import { InvalidArgumentError, Option, type Command } from 'commander'
import { createAccessAdmin } from '../../services/access/admin.ts'
import { type ChainReport, verifyChain } from '../../services/audit/verify-chain.ts'
import { say, type Output } from './output.ts'
import { withStores } from './stores.ts'

/** Adds the command about the audit log. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('The audit log of a workspace')
    .command('verify')
    .description(
      'Compare the audit log with its seals; names the first entry that was changed, removed, moved or added',
    )
    .requiredOption('--workspace <slug>', 'whose log')
    .addOption(
      new Option('--head <seq:hash>', 'a head that an earlier verification printed, which must be in it').argParser(
        readHead,
      ),
    )
    .option('--json', 'print one JSON line')
    .action((options: { workspace: string; head?: { seq: number; hash: string } } & Output) =>
      withStores(1, async ({ db }, { API_KEY_SECRET: secret }) => {
        const { workspace_id } = await createAccessAdmin({ db, secret }).manage(options.workspace)
        const report = await verifyChain(db, workspace_id, options.head)
        say(options.json, report, describeChain(report))
        if (report.problem) process.exitCode = 1
      }),
    )
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
