import type { Query } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand } from '../shared/command.ts'
import { deriveOptions } from '../shared/operation.ts'
import { renderTable } from '../shared/output.ts'

interface Row {
  group: string | null
  slug: string | null
  calls: number
  input_tokens: number
  output_tokens: number
  usd: number
}

/** Adds the `usage` command, which reports tokens and costs. */
export function add(program: Command): void {
  const { options, read } = deriveOptions('usage.get', {
    group_by: '--by <group>',
    from: '--from <time>',
    to: '--to <time>',
  })
  addCommand<Record<string, unknown>>(program, {
    name: 'usage',
    example: 'usage --by model',
    options,
    run: async (context, _, given) => {
      const query: Query<'usage.get'> = await read(given)
      const { data, total, limit, offset } = await (await context.client()).usage.get(query)
      await context.print({ total, limit, offset, data }, () =>
        renderTable(data as unknown as Row[], [
          [query.group_by ?? 'day', one => one.slug ?? one.group],
          ['calls', one => one.calls],
          ['input', one => one.input_tokens],
          ['output', one => one.output_tokens],
          ['usd', one => one.usd],
        ]),
      )
    },
  })
}
