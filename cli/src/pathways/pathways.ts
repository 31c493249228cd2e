import type { PathwayDefinition } from '@ganglion/client'
import type { Command } from 'commander'
import { addCommand, addGroup, option, readJson } from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { readOne } from '../resources/files.ts'
import { addKind } from '../resources/kind.ts'

const KIND = 'pathways'

/** `pathways`. */
export function addPathways(program: Command): void {
  const group = addGroup(program, KIND)
  addKind(group, KIND)
  addCommand(group, {
    name: 'validate <file>',
    summary: 'Check the definition of a file or - for stdin against the service; nothing is saved',
    example: 'pathways validate flows/pathways/hello.yaml',
    run: async (context, [file = '']) => {
      const { definition } = (await readOne(file, KIND)).fields
      if (definition === undefined) throw usageError(`${file} has no definition`)
      const client = await context.client()
      const report = await client.pathways.validate({ definition: definition as PathwayDefinition })
      const lines = (['problems', 'warnings'] as const).flatMap(list =>
        report[list].map(({ pointer, message }) => `${list.slice(0, -1)}\t${pointer}\t${message}\n`),
      )
      await context.print(report, () => (lines.length > 0 ? lines.join('') : `${file} is valid`))
      if (!report.valid) throw new CliError(EXIT.error, `${file} is not valid`)
    },
  })
  addCommand<{ data?: string; outputs?: string }>(group, {
    name: 'dry-run <pathway>',
    summary: 'Play a pathway with given outputs; nothing is started',
    example: `pathways dry-run invoice-approval --data '{"amount": 1200}'`,
    options: [
      option('--data <json>', 'the input: JSON, @file, or - for stdin'),
      option('--outputs <json>', 'outputs of nodes: JSON or @file'),
    ],
    run: async (context, [id = ''], { data, outputs }) => {
      const client = await context.client()
      const body = {
        ...(data && { input: await readJson(data) }),
        ...(outputs && { outputs: (await readJson(outputs)) as Record<string, unknown> }),
      }
      await context.show(await client.pathways.dryRun(id, body))
    },
  })
}
