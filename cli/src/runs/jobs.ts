import type { Data, Diagnosis, Job } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, option, readJson } from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'
import { type BulkOptions, bulkOptions, describePreview, readBulk } from './bulk.ts'
import { FILTERS, noChildRuns, since } from './filters.ts'
import { follow } from './follow.ts'
import { describeFork, forkOptions, readFork } from './forks.ts'
import { describeMigration, migrateAll, migrateOptions, type MigrateOptions, readMigration } from './migrations.ts'

const JOB = 'invoice-approval-0192f0c4'

/** Describes a cancelled job. A run that takes long to stop is still open. */
const describeCancel = ({ job_id, status }: { job_id: string; status: string }) =>
  status === 'failed' ? `Cancelled ${job_id}` : `Requested cancellation of ${job_id}`

const describeStatus = ({ job_id, status }: { job_id: string; status: string }) => `${job_id} is ${status}`

/** Adds the `jobs` commands for runs. */
export const add = (program: Command): Command =>
  addGroup(program, 'jobs', [
    operation('jobs.list', {
      name: 'list',
      summary: 'List runs, newest first',
      example: 'jobs list --failed --since 2026-01-01T00:00:00Z --all --json',
      options: {
        ...FILTERS,
        title: '--title <text>',
        created_after: since,
      },
      further: [option('--failed', 'same as --status failed')],
      fields: ({ failed }: { failed?: true }) => (failed ? { status: ['failed'] } : {}),
      columns: [
        ['job', 'job_id'],
        ['status', job => (job.outcome === 'cancelled' ? job.outcome : job.status)],
        'kind',
        'title',
        ['created', 'created_at'],
        ['reason', 'failedReason'],
      ],
    }),
    operation('jobs.get', {
      name: 'get <job>',
      summary: 'Show a run and its nodes',
      example: `jobs get ${JOB} --json`,
      text: job =>
        [...describeJob(job), ...job.nodes.map(node => `  ${node.status}\t${node.key}\t${node.node_type}`)].join('\n'),
    }),
    operation('jobs.diagnosis', {
      name: 'diagnose <job>',
      summary: 'Diagnose a run and show the recommended action',
      text: describeDiagnosis,
    }),
    operation('jobs.causes', {
      name: 'causes',
      summary: 'Count runs by diagnosis',
      example: 'jobs causes --pathway invoice-approval\njobs causes --status waiting,running --json',
      options: { ...FILTERS, child_runs: noChildRuns },
      text: describeCauses,
    }),
    {
      name: 'follow <job>',
      summary: 'Follow a run, answer its tasks and print its result',
      example: `jobs follow ${JOB}\njobs follow ${JOB} --json=lines`,
      options: [option('--after <id>', 'start after this event id')],
      run: async (context, [id = ''], { after }: { after?: string }) => {
        const client = await context.client()
        const result = await follow(context, client, client.jobs.run(id), { after })
        if (context.format !== 'lines') await context.show(result)
      },
    },
    {
      name: 'result <job>',
      summary: 'Print the result of a completed run as JSON',
      run: async (context, [id = '']) => {
        const client = await context.client()
        const { timeout } = context.options
        const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000)
        const result = await client.jobs
          .run(id)
          .result({ signal })
          .catch((error: unknown) => {
            if (signal?.aborted)
              throw new CliError(
                EXIT.timedOut,
                `The run is still in progress. To follow it: ganglion jobs follow ${id}`,
                { job_id: id },
              )
            throw error
          })
        await context.show(result)
      },
    },
    operation('jobs.cancel', {
      name: 'cancel <job>',
      summary: 'Cancel a run; completed steps are compensated',
      text: ({ receipt, ...job }) =>
        [describeCancel(job), ...receipt.map(line => `  ${line.outcome}\t${line.key}`)].join('\n'),
    }),
    operation('jobs.pause', {
      name: 'pause <job>',
      summary: 'Pause a run; running steps finish first',
      text: describeStatus,
    }),
    operation('jobs.fork', {
      name: 'fork <job>',
      example: [
        `jobs fork ${JOB} --from pay --dry-run`,
        `jobs fork ${JOB} --from pay --output price='{"status": 200, "headers": {}, "body": 7}'`,
      ].join('\n'),
      options: { from_node: option('--from <node>', 'node key, such as review or each[3]/fetch') },
      further: forkOptions(),
      fields: readFork,
      text: describeFork,
    }),
    operation('jobs.retry', {
      name: 'retry <job>',
      example: `jobs retry ${JOB}\njobs retry ${JOB} --dry-run`,
      further: forkOptions(),
      fields: readFork,
      text: describeFork,
    }),
    {
      name: 'bulk <operation>',
      summary: 'Cancel, pause, resume, retry or migrate all matching runs, after showing a preview',
      example: [
        'jobs bulk retry --failed --error-code HTTP_503 --since 2026-01-01T00:00:00Z --dry-run',
        'jobs bulk cancel --pathway invoice-approval --status waiting --per-second 5 --reason "replaced" --yes',
      ].join('\n'),
      options: bulkOptions(),
      run: async (context, [operation = ''], options: BulkOptions) => {
        const client = await context.client()
        const body = await readBulk(operation, options)
        const preview = await client.jobs.bulk({ ...body, dry_run: true })
        if (!('dry_run' in preview)) throw new CliError(EXIT.error, 'The service returned no preview')
        if (options.dryRun) return context.print(preview, describePreview)
        requireEverything(preview, options)
        context.say(describePreview(preview))
        await context.confirm(`${operation}: ${preview.applies} of ${preview.matched} runs?`)
        // Exclude runs that were started after the preview.
        const filter = { ...body.filter, created_before: preview.created_before }
        const bulkJob = await client.jobs.bulk({ ...body, filter })
        await context.print(bulkJob, () =>
          'job_id' in bulkJob ? `To follow it: ganglion jobs follow ${bulkJob.job_id}` : '',
        )
      },
    },
    {
      name: 'migrate <pathway>',
      summary: 'Migrate waiting and paused runs to another version, after showing a preview',
      example: [
        'jobs migrate invoice-approval --from 3 --to 4 --dry-run',
        'jobs migrate invoice-approval --from 3 --to 4 --everything --yes',
        `jobs migrate invoice-approval --from 3 --to 4 --job ${JOB}`,
      ].join('\n'),
      options: migrateOptions(),
      run: async (context, [pathway = ''], options: MigrateOptions) => {
        const client = await context.client()
        const body = await readMigration(pathway, options)
        const preview = await migrateAll(client, { ...body, dry_run: true })
        if (options.dryRun) return context.print(preview, describeMigration)
        requireEverything(preview, options)
        context.say(describeMigration(preview))
        await context.confirm(`Move ${preview.counts.can_move} of ${preview.matched} runs to version ${options.to}?`)
        // Exclude runs that have progressed since the preview.
        const entries = preview.runs.flatMap(({ job_id, revision }) =>
          revision === undefined ? [] : [[job_id, revision]],
        )
        const revisions = Object.fromEntries(entries) as Record<string, number>
        await context.print(await migrateAll(client, { ...body, revisions }), describeMigration)
      },
    },
    operation('jobs.undoMigration', {
      name: 'undo-migration <job>',
      summary: 'Move a run back to its previous version; possible until the run takes its next step',
      text: ({ job_id, to_version }) => `${job_id} uses version ${to_version} again`,
    }),
    operation('jobs.resume', {
      name: 'resume <job>',
      summary: 'Resume a paused run, or send an event to a waiting run',
      example: `jobs resume ${JOB}\njobs resume order-0192f0c4 --event paid --data '{"amount": 7}'`,
      further: [
        option('--event <name>', 'event that a wait node waits for'),
        option('--data <json>', 'event data: JSON, @file, or - for stdin'),
      ],
      // Event data requires an event.
      fields: async ({ event, data }: { event?: string; data?: string }) =>
        event === undefined ? {} : { event, ...(data !== undefined && { data: await readJson(data) }) },
      text: describeStatus,
    }),
    operation('jobs.get', {
      name: 'open <job>',
      summary: 'Print the Temporal UI link for a run',
      print: (context, { temporal_url }, [job_id]) => context.print({ job_id, temporal_url }, () => temporal_url),
    }),
  ])

/** Changing all runs needs a separate flag, because `--yes` confirms only the filter. */
function requireEverything({ needs_confirm }: { needs_confirm: boolean }, { everything }: { everything?: boolean }) {
  if (needs_confirm && !everything) throw usageError('The filter matches every run. Add --everything to confirm this')
}

function describeJob(job: Job): string[] {
  const waits = (job.waitingFor ?? []).map(question => `waits\t${question.title}\t${question.interventionId}`)
  return [
    `job\t${job.job_id}`,
    `title\t${job.title}`,
    `status\t${job.status}${job.current_step ? ` (${job.current_step})` : ''}`,
    `created\t${job.created_at}`,
    ...(job.failedReason ? [`reason\t${job.failedReason}`] : []),
    ...(job.problem ? [`problem\t${job.problem.message}`] : []),
    ...waits,
  ]
}

/** Lists the causes with at least one run, the most frequent first. */
const describeCauses = ({ by_cause, not_examined }: Data<'jobs.causes'>): string =>
  [
    ...Object.entries(by_cause)
      .filter(([, count]) => count > 0)
      .toSorted(([, a], [, b]) => b - a)
      .map(([cause, count]) => `${count}\t${cause}`),
    ...(not_examined > 0 ? [`${not_examined}\tnot examined`] : []),
  ].join('\n')

function describeDiagnosis({ cause, since, message, action, missing, link }: Diagnosis): string {
  return [
    message,
    `cause\t${cause}`,
    ...(since ? [`since\t${since}`] : []),
    `action\t${action}`,
    ...(missing.length > 0 ? [`missing evidence\t${missing.join(', ')}`] : []),
    `link\t${link}`,
  ].join('\n')
}
