import type { Data, Diagnosis, Job } from '@ganglion/client'
import type { Command } from 'commander'
import { type BulkOptions, bulkOptions, describePreview, readBulk } from './bulk.ts'
import { describeMigration, migrateAll, migrateOptions, type MigrateOptions, readMigration } from './migrations.ts'
import { describeFork, type ForkOptions, forkOptions, readFork } from './forks.ts'
import {
  addCommand,
  addGroup,
  listOptions,
  type ListOptions,
  option,
  readJson,
  required,
  toList,
} from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { follow } from './follow.ts'

interface Filters {
  status?: string
  outcome?: string
  pathway?: string
  neuron?: string
}

const filterOptions = () => [
  option('--status <status>', 'pending, running, waiting, paused, completed or failed; several with commas'),
  option('--outcome <outcome>', 'open, completed, failed or cancelled; several with commas'),
  option('--pathway <id>', 'runs of this pathway'),
  option('--neuron <id>', 'runs of this neuron'),
]

const toFilter = ({ status, outcome, pathway, neuron }: Filters) => ({
  status: toList(status) as Job['status'][] | undefined,
  outcome: toList(outcome) as NonNullable<Job['outcome']>[] | undefined,
  pathway_id: pathway,
  neuron_id: neuron,
})

/** `jobs`: runs that were started, by whomever. */
export function addJobs(program: Command): void {
  const jobs = addGroup(program, 'jobs')
  addCommand<Filters & ListOptions & { failed?: boolean; title?: string; since?: string }>(jobs, {
    name: 'list',
    summary: 'List runs, newest first',
    example: 'jobs list --failed --since 2026-01-01T00:00:00Z --all --json',
    options: [
      ...filterOptions(),
      option('--failed', 'the same as --status failed'),
      option('--title <text>', 'with this text in the title'),
      option('--since <time>', 'started after this time, as ISO 8601'),
      ...listOptions(),
    ],
    run: async (context, _, filters) => {
      const client = await context.client()
      const query = {
        ...toFilter(filters.failed ? { ...filters, status: 'failed' } : filters),
        title: filters.title,
        created_after: filters.since,
        limit: filters.all ? 200 : Math.min(filters.limit ?? 50, 200),
      }
      await context.printAll(
        client.jobs.list(query),
        [
          ['job', job => job.job_id],
          ['status', job => (job.outcome === 'cancelled' ? job.outcome : job.status)],
          ['kind', job => job.kind],
          ['title', job => job.title],
          ['created', job => job.created_at],
          ['reason', job => job.failedReason],
        ],
        filters,
      )
    },
  })
  addCommand(jobs, {
    name: 'get <job>',
    summary: 'Show a run with its nodes',
    example: 'jobs get invoice-approval-0192f0c4 --json',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.jobs.get(id), job =>
        [...describeJob(job), ...job.nodes.map(node => `  ${node.status}\t${node.key}\t${node.node_type}`)].join('\n'),
      )
    },
  })
  addCommand(jobs, {
    name: 'diagnose <job>',
    summary: 'Tell why a run is where it is, and what to do',
    example: 'jobs diagnose invoice-approval-0192f0c4',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.jobs.diagnosis(id), describeDiagnosis)
    },
  })
  addCommand<Filters & { childRuns?: boolean }>(jobs, {
    name: 'causes',
    summary: 'Count runs by the cause of where they are',
    example: 'jobs causes --pathway invoice-approval\njobs causes --status waiting,running --json',
    options: [...filterOptions(), option('--no-child-runs', 'without runs that other runs have started')],
    run: async (context, _, { childRuns, ...filters }) => {
      const client = await context.client()
      const query = { ...toFilter(filters), ...(childRuns === false && { child_runs: 'false' as const }) }
      await context.print(await client.jobs.causes(query), describeCauses)
    },
  })
  addCommand<{ after?: string }>(jobs, {
    name: 'follow <job>',
    summary: 'Follow a run to its end, answer what it asks, and print its result',
    example: 'jobs follow invoice-approval-0192f0c4\njobs follow invoice-approval-0192f0c4 --json=lines',
    options: [option('--after <id>', 'begin behind this event')],
    run: async (context, [id = ''], { after }) => {
      const client = await context.client()
      const result = await follow(context, client, client.jobs.run(id), { after })
      if (context.format !== 'lines') await context.show(result)
    },
  })
  addCommand(jobs, {
    name: 'result <job>',
    summary: 'Print the result of a run as JSON, once it has ended',
    example: 'jobs result invoice-approval-0192f0c4',
    run: async (context, [id = '']) => {
      const client = await context.client()
      const { timeout } = context.options
      const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000)
      const result = await client.jobs
        .run(id)
        .result({ signal })
        .catch((error: unknown) => {
          if (signal?.aborted)
            throw new CliError(EXIT.timedOut, `The run goes on: ganglion jobs follow ${id}`, { job_id: id })
          throw error
        })
      await context.show(result)
    },
  })
  addCommand(jobs, {
    name: 'cancel <job>',
    summary: 'Cancel a run; what was done is compensated',
    example: 'jobs cancel invoice-approval-0192f0c4',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.jobs.cancel(id), ({ job_id, status, receipt }) =>
        [`${job_id} is ${status}`, ...receipt.map(line => `  ${line.outcome}\t${line.key}`)].join('\n'),
      )
    },
  })
  addCommand(jobs, {
    name: 'pause <job>',
    summary: 'Pause a run; what is in progress finishes',
    example: 'jobs pause invoice-approval-0192f0c4',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(await client.jobs.pause(id), ({ job_id, status }) => `${job_id} is ${status}`)
    },
  })
  addCommand<ForkOptions & { from: string }>(jobs, {
    name: 'fork <job>',
    summary: 'Go on from a node of a run, in a new run',
    example: [
      'jobs fork invoice-approval-0192f0c4 --from pay --dry-run',
      `jobs fork invoice-approval-0192f0c4 --from pay --output price='{"status": 200, "headers": {}, "body": 7}'`,
    ].join('\n'),
    options: [
      required('--from <node>', 'key of the node, such as review or each[3]/fetch'),
      ...forkOptions(),
      option('--reason <text>', 'why, for those who look at the runs later'),
    ],
    run: async (context, [id = ''], { from, ...options }) => {
      const client = await context.client()
      await context.print(await client.jobs.fork(id, { from_node: from, ...(await readFork(options)) }), describeFork)
    },
  })
  addCommand<ForkOptions>(jobs, {
    name: 'retry <job>',
    summary: 'Go on with what failed in a run, in a new run',
    example: 'jobs retry invoice-approval-0192f0c4\njobs retry invoice-approval-0192f0c4 --dry-run',
    options: [...forkOptions(), option('--reason <text>', 'why, for those who look at the runs later')],
    run: async (context, [id = ''], options) => {
      const client = await context.client()
      await context.print(await client.jobs.retry(id, await readFork(options)), describeFork)
    },
  })
  addCommand<BulkOptions>(jobs, {
    name: 'bulk <operation>',
    summary: 'Cancel, pause, resume, retry or migrate all runs of a filter, after a look at which ones',
    example: [
      'jobs bulk retry --failed --error-code HTTP_503 --since 2026-01-01T00:00:00Z --dry-run',
      'jobs bulk cancel --pathway invoice-approval --status waiting --per-second 5 --reason "replaced" --yes',
    ].join('\n'),
    options: bulkOptions(),
    run: async (context, [operation = ''], options) => {
      const client = await context.client()
      const body = readBulk(operation, options)
      const preview = await client.jobs.bulk({ ...body, dry_run: true })
      if (!('dry_run' in preview)) throw new CliError(EXIT.error, 'The service sent no preview')
      if (options.dryRun) return context.print(preview, describePreview)
      requireEverything(preview, options)
      context.say(describePreview(preview))
      await context.confirm(`${operation}: ${preview.applies} of ${preview.matched} runs?`)
      // Runs that have begun since are not among those that were shown.
      const filter = { ...body.filter, created_before: preview.created_before }
      const started = await client.jobs.bulk({ ...body, filter })
      await context.print(started, () =>
        'job_id' in started ? `Follow it: ganglion jobs follow ${started.job_id}` : '',
      )
    },
  })
  addCommand<MigrateOptions>(jobs, {
    name: 'migrate <pathway>',
    summary: 'Move waiting and paused runs to another version, after a look at which ones can',
    example: [
      'jobs migrate invoice-approval --from 3 --to 4 --dry-run',
      'jobs migrate invoice-approval --from 3 --to 4 --everything --yes',
      'jobs migrate invoice-approval --from 3 --to 4 --job invoice-approval-0192f0c4',
    ].join('\n'),
    options: migrateOptions(),
    run: async (context, [pathway = ''], options) => {
      const client = await context.client()
      const body = readMigration(pathway, options)
      const preview = await migrateAll(client, { ...body, dry_run: true })
      if (options.dryRun) return context.print(preview, describeMigration)
      requireEverything(preview, options)
      context.say(describeMigration(preview))
      await context.confirm(`Move ${preview.counts.can_move} of ${preview.matched} runs to version ${options.to}?`)
      // Runs that have gone on since are not among those that were shown.
      const shown = preview.runs.flatMap(({ job_id, revision }) => (revision === undefined ? [] : [[job_id, revision]]))
      const revisions = Object.fromEntries(shown) as Record<string, number>
      await context.print(await migrateAll(client, { ...body, revisions }), describeMigration)
    },
  })
  addCommand(jobs, {
    name: 'undo-migration <job>',
    summary: 'Move a run back to its former version; possible until its next step',
    example: 'jobs undo-migration invoice-approval-0192f0c4',
    run: async (context, [id = '']) => {
      const client = await context.client()
      await context.print(
        await client.jobs.undoMigration(id),
        ({ job_id, to_version }) => `${job_id} follows version ${to_version} again`,
      )
    },
  })
  addCommand<{ event?: string; data?: string }>(jobs, {
    name: 'resume <job>',
    summary: 'Resume a paused run, or send it the event that it waits for',
    example: `jobs resume invoice-approval-0192f0c4\njobs resume order-0192f0c4 --event paid --data '{"amount": 7}'`,
    options: [
      option('--event <name>', 'the event that a wait node waits for'),
      option('--data <json>', 'the data of the event: JSON, @file, or - for stdin'),
    ],
    run: async (context, [id = ''], { event, data }) => {
      const client = await context.client()
      const body =
        event === undefined ? undefined : { event, ...(data !== undefined && { data: await readJson(data) }) }
      await context.print(await client.jobs.resume(id, body), ({ job_id, status }) => `${job_id} is ${status}`)
    },
  })
  addCommand(jobs, {
    name: 'open <job>',
    summary: 'Print the link of a run in the Temporal UI',
    example: 'jobs open invoice-approval-0192f0c4',
    run: async (context, [id = '']) => {
      const client = await context.client()
      const { temporal_url } = await client.jobs.get(id)
      await context.print({ job_id: id, temporal_url }, () => temporal_url)
    },
  })
}

/** A move of all runs needs a flag of its own, because `--yes` confirms what the filter selects. */
function requireEverything({ needs_confirm }: { needs_confirm: boolean }, { everything }: { everything?: boolean }) {
  if (needs_confirm && !everything)
    throw usageError('The filter leaves out no run. Add --everything to select all runs.')
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

/** The causes that any run has, the most frequent first. */
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
    ...(missing.length > 0 ? [`not found in time\t${missing.join(', ')}`] : []),
    `link\t${link}`,
  ].join('\n')
}
