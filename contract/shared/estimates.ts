import { z } from 'zod'

const runEstimate = z
  .object({
    runs: z.int().meta({ description: 'Number of runs of which this is the mean' }),
    input_tokens: z.int(),
    output_tokens: z.int(),
    usd: z.number(),
  })
  .nullable()

/** The mean of recent runs of the workspace. Null if there is none. */
export type RunEstimate = z.output<typeof runEstimate>

const tokenEstimate = z.object({ input_tokens: z.int(), usd: z.number() })

/** Computed from the price of the embedding model. */
export type TokenEstimate = z.output<typeof tokenEstimate>

export const estimates = z
  .object({
    neuron_run: runEstimate.meta({
      description: 'Answer of a neuron: an invocation or a turn of a chat. Null if there was none.',
    }),
    pathway_run: runEstimate.meta({ description: 'Run of a pathway, with its child runs. Null if there was none.' }),
    ingest_1000_words: tokenEstimate.meta({ description: 'Embedding of 1,000 words of English text' }),
    search_query: tokenEstimate.meta({ description: 'Embedding of a query of 10 words' }),
    transcribe_minute: z
      .object({ usd: z.number() })
      .nullable()
      .meta({ description: 'A minute of audio; null without a speech service' }),
  })
  .meta({
    id: 'Estimates',
    description:
      'Estimated usage of a call. Runs: the mean of the last 100 completed runs of the workspace in 30 days. All else: the configured prices.',
  })

/** What a call costs. */
export type Estimates = z.output<typeof estimates>
