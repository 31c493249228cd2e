import type { Data } from '@ganglion/client'
import { option, readJson, repeated } from '../shared/command.ts'
import { parsePair } from '../people/questions.ts'

/** Options of commands that fork a run. */
export interface ForkOptions {
  input?: string
  output?: string[]
  pathwayVersion?: string
  reason?: string
  dryRun?: boolean
}

export const forkOptions = () => [
  option('--input <json>', 'another input: JSON, @file, or - for stdin'),
  repeated('--output <node=json>', 'another output of a node that is taken over, as JSON or @file; repeatable'),
  option('--pathway-version <number>', 'follow this version of the pathway'),
  option('--dry-run', 'list what would be reused, run and happen a second time'),
  option('--reason <text>', 'why, for those who look at the runs later'),
]

/** The body of the request for the options. */
export async function readFork({ input, output = [], pathwayVersion, reason, dryRun }: ForkOptions) {
  const pairs = output.map(text => parsePair(text))
  const outputs = await Promise.all(pairs.map(async ([key, json]) => [key, await readJson(json)] as const))
  return {
    ...(input !== undefined && { input: await readJson(input) }),
    ...(outputs.length > 0 && { outputs: Object.fromEntries(outputs) }),
    ...(pathwayVersion !== undefined && { pathway_version: Number(pathwayVersion) }),
    ...(reason !== undefined && { reason }),
    ...(dryRun && { dry_run: true }),
  }
}

/** A line for each node in which people decide again. */
export const describeAskedAgain = (nodes: { key: string; changed: string[] }[]): string[] =>
  nodes.map(({ key, changed: changedFields }) => `asked again\t${key}\t${changedFields.join(', ')} changed`)

/** What came of a fork, or would. */
export function describeFork(fork: Data<'jobs.fork'>): string {
  if (!('dry_run' in fork)) return `${fork.job_id} goes on from ${fork.forked_from.job_id}`
  return [
    ...fork.reused.map(({ key, is_replaced }) => `${is_replaced ? 'replaced' : 'reused'}\t${key}`),
    ...describeAskedAgain(fork.asked_again),
    ...fork.runs.map(({ key, reason }) => `runs\t${key}\t${reason.replace('_', ' ')}`),
    ...fork.repeated_effects.map(({ key, status }) => `again\t${key}\t${status} before`),
  ].join('\n')
}
