import { z } from 'zod'

const runEstimate = z
  .object({
    runs: z.int().meta({ description: 'Number of runs averaged' }),
    input_tokens: z.int(),
    output_tokens: z.int(),
    usd: z.number(),
  })
  .nullable()

/** The average of recent runs in the workspace. Null if there are none. */
export type RunEstimate = z.output<typeof runEstimate>

const tokenEstimate = z.object({ input_tokens: z.int(), usd: z.number() })

/** Calculated from the price of the embedding model. */
export type TokenEstimate = z.output<typeof tokenEstimate>

export const estimates = z
  .object({
    neuron_run: runEstimate.meta({
      description: 'One answer from a neuron: an invocation or a chat turn. Null without data.',
    }),
    pathway_run: runEstimate.meta({ description: 'One pathway run, including child runs. Null without data.' }),
    ingest_1000_words: tokenEstimate.meta({ description: 'Embedding 1,000 words of English text' }),
    search_query: tokenEstimate.meta({ description: 'Embedding a 10-word query' }),
    transcribe_minute: z
      .object({ usd: z.number() })
      .nullable()
      .meta({ description: 'One minute of audio. Null without a speech service.' }),
  })
  .meta({
    id: 'Estimates',
    description:
      "Estimated usage per call. Run estimates are the average of the workspace's last 100 completed runs within 30 days. All other estimates are calculated from the configured prices.",
  })

/** The estimated cost of each kind of call. */
export type Estimates = z.output<typeof estimates>
