import { join } from 'node:path'
import { createApt } from '../../../dev/machine/apt.ts'
import { installOnce, verifySha256 } from '../../../dev/machine/cache.ts'
import { findJdk } from '../../../dev/machine/java.ts'
import { mavenDownload } from '../../../dev/machine/maven.ts'
import { run } from '../../../dev/machine/shell.ts'
import type { Generator, Workshop } from './generator.ts'

const VERSION = '7.25.0'
const JAR = { group: 'org.openapitools', artifact: 'openapi-generator-cli', version: VERSION, type: 'jar' }
const SHA256 = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae'

/** The Java version used for the generator and its Java client. */
const JAVA = 17

/** Leaves out documentation and tests. */
const LEFT_OUT = ['apiTests=false', 'modelTests=false', 'apiDocs=false', 'modelDocs=false']
const FORM_MODELS = 'skipFormModel=false'

const apt = createApt(message => process.stderr.write(`${message}\n`))

/** Returns the JDK's home folder. */
export const findJava = (): Promise<string> => findJdk(JAVA, apt)

export const describeTarget = (target: string): Pick<Generator, 'name' | 'version'> => ({
  name: `openapi-generator ${target}`,
  version: VERSION,
})

/** Needed by clients that import the form models: OpenAPITools/openapi-generator#24727. */
export const WITH_FORM_MODELS = `needs --global-property ${FORM_MODELS} (OpenAPITools/openapi-generator#24727)`

/** Generates a client for an openapi-generator target. Returns its folder. */
export async function generateFor(
  target: string,
  { document, folder }: Workshop,
  options: string[] = [],
): Promise<string> {
  const installed = await installOnce(`openapi-generator-cli-${VERSION}`, async cache => {
    await verifySha256(await mavenDownload(JAR, cache, apt), SHA256)
  })
  const jar = join(installed, `${JAR.artifact}-${VERSION}.jar`)
  const output = join(folder, 'client')
  const properties = [...LEFT_OUT, FORM_MODELS].join(',')
  const java = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-jar', jar]
  const command = ['generate', '-i', document, '-g', target, '-o', output, '--global-property', properties]
  await run(join(await findJava(), 'bin/java'), [...java, ...command, ...options])
  return output
}
