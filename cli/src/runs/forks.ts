import type { Data } from '@ganglion/client'
import { option, readJson, repeated } from '../shared/command.ts'
import { parsePair } from '../people/questions.ts'

/** Options shared by commands that fork a run. */
export interface ForkOptions {
  input?: string
  output?: string[]
  pathwayVersion?: string
  reason?: string
  dryRun?: boolean
}

export const forkOptions = () => [
  option('--input <json>', 'different input: JSON, @file, or - for stdin'),
  repeated('--output <node=json>', "replacement for a reused node's output, as JSON or @file; repeatable"),
  option('--pathway-version <number>', 'pathway version to use'),
  option('--dry-run', 'list the nodes to reuse, the nodes to run, and the effects that happen a second time'),
  option('--reason <text>', 'reason, shown with the runs'),
]

/** Builds the request body from the command's options. */
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

/** Returns one line for each node where people must decide again. */
export const describeAskedAgain = (nodes: { key: string; changed: string[] }[]): string[] =>
  nodes.map(({ key, changed: changedFields }) => `asked again\t${key}\t${changedFields.join(', ')} changed`)

/** Describes a fork or its preview. */
export function describeFork(fork: Data<'jobs.fork'>): string {
  if (!('dry_run' in fork)) return `Forked ${fork.forked_from.job_id} as ${fork.job_id}`
  return [
    ...fork.reused.map(({ key, is_replaced }) => `${is_replaced ? 'replaced' : 'reused'}\t${key}`),
    ...describeAskedAgain(fork.asked_again),
    ...fork.runs.map(({ key, reason }) => `runs\t${key}\t${reason.replace('_', ' ')}`),
    ...fork.repeated_effects.map(({ key, status }) => `repeated\t${key}\t${status} before`),
  ].join('\n')
}
