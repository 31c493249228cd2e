import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { addCommand } from '../shared/command.ts'
import { CliError, EXIT } from '../shared/exit.ts'

/** Adds the `init` command, which creates a sample project. */
export const add = (program: Command): void =>
  addCommand(program, {
    name: 'init [dir]',
    example: 'init my-flows && ganglion apply -f my-flows',
    run: async (context, [dir = '.']) => {
      const files = [join(dir, 'ganglion.yaml'), join(dir, 'pathways', 'hello.yaml')] as const
      const there = files.find(existsSync)
      if (there) throw new CliError(EXIT.conflict, `${there} already exists`)
      mkdirSync(join(dir, 'pathways'), { recursive: true })
      writeFileSync(files[0], PROJECT)
      writeFileSync(files[1], SAMPLE)
      await context.print(
        { files },
        () => `wrote ${files.join(' and ')}\nNext: ganglion apply -f ${dir} && ganglion run hello -i name=Ann`,
      )
    },
  })

const PROJECT =
  '# Settings of this project for the command line. Don\'t store keys here: use "ganglion login".\n# url: https://ganglion.example.com\n# brain: 0192f0c4-0000-7000-8000-0000000000b1\n'

const SAMPLE = `# A pathway (workflow) with an approval. Apply it, then run: ganglion run hello -i name=Ann
kind: pathway
slug: hello
title: Hello
definition:
  schema: pathway/1
  input:
    type: object
    required: [name]
    properties:
      name: { type: string }
  nodes:
    - { id: ask, type: human, kind: approval, title: "Greet \${input.name}?" }
    - { id: greeted, type: end, output: { greeting: "Hello \${input.name}" } }
    - { id: silent, type: end, output: { greeting: null } }
  edges:
    - { from: ask, on: approve, to: greeted }
    - { from: ask, on: reject, to: silent }
`
