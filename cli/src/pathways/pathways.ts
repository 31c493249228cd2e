import type { PathwayDefinition } from '@ganglion/client'
import type { Command } from 'commander'
import { addGroup, inputOptions, option, readInput } from '../shared/command.ts'
import { CliError, EXIT, usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'
import { readOne } from '../resources/files.ts'
import { kindCommands } from '../resources/kind.ts'

const KIND = 'pathways'

/** `pathways`. */
export const add = (program: Command): Command =>
  addGroup(program, KIND, [
    ...kindCommands(KIND),
    {
      name: 'validate <file>',
      summary: 'Validate the definition in a file or stdin (-); nothing is saved',
      example: 'pathways validate flows/pathways/hello.yaml',
      run: async (context, [file = '']) => {
        const { definition } = (await readOne(file, KIND)).fields
        if (definition === undefined) throw usageError(`${file} does not contain a definition`)
        const client = await context.client()
        const report = await client.pathways.validate({ definition: definition as PathwayDefinition })
        const lines = (['problems', 'warnings'] as const).flatMap(list =>
          report[list].map(({ pointer, message }) => `${list.slice(0, -1)}\t${pointer}\t${message}\n`),
        )
        await context.print(report, () => (lines.length > 0 ? lines.join('') : `${file} is valid`))
        if (!report.valid) throw new CliError(EXIT.error, `${file} is invalid`)
      },
    },
    operation('pathways.dryRun', {
      name: 'dry-run <pathway>',
      summary: 'Simulate a pathway with mock outputs, without starting a run',
      example: `pathways dry-run invoice-approval --input '{"amount": 1200}'`,
      options: { outputs: option('--outputs <json>', 'mock outputs by node: JSON or @file') },
      further: inputOptions('input'),
      fields: async (options: { input?: string; data?: string }) => ({ input: await readInput(options) }),
    }),
  ])
