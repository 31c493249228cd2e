import { globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../dev/machine/shell.ts'
import { type Generator, type Program, PROGRAMS, type Workshop } from './generator.ts'
import { describeTarget, findJava, generateFor, WITH_FORM_MODELS } from './openapi-generator.ts'

export const javaGenerators: Generator[] = [{ ...describeTarget('java'), note: WITH_FORM_MODELS, build }]

async function build(workshop: Workshop): Promise<Program> {
  const bin = join(await findJava(), 'bin')
  const client = await generateFor('java', workshop)
  const libraries = join(client, 'libraries')
  const classes = join(client, 'classes')
  mkdirSync(classes)
  await run('mvn', ['-B', '-q', 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`], { cwd: client })
  const sources = globSync(join(client, 'src/main/java/**/*.java'))
  const classPath = `${classes}:${libraries}/*`
  await run(join(bin, 'javac'), ['-nowarn', '-d', classes, '-cp', classPath, ...sources, join(PROGRAMS, 'Read.java')])
  return { command: join(bin, 'java'), args: ['-cp', classPath, 'Read'] }
}
