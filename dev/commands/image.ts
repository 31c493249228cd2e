import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildImage, findContainerEngine } from '../machine/container-engine.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { logLine } from '../stack/log.ts'
import type { Command } from './command.ts'
import { IMAGE, test } from './test.ts'

const TAG = 'ganglion:test'
/** With this argument, a machine without a container engine is not a failure. */
const IF_POSSIBLE = '--if-possible'

/**
 * `npm run test:image [-- --if-possible] [jest arguments]`: builds the image with Docker or podman, and tests its
 * containers against real components.
 */
export const testImage: Command = async args => {
  const engine = await findContainerEngine()
  if (!engine) {
    logLine('test:image', 'No container engine found: neither Docker nor podman responds. The image is not tested')
    return args.includes(IF_POSSIBLE) ? 0 : 1
  }
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as { version: string }
  logLine('test:image', `building ${TAG} with ${engine}`)
  await buildImage(engine, TAG, { VERSION: version, REVISION: 'test' })
  Object.assign(process.env, { CONTAINER_ENGINE: engine, CONTAINER_IMAGE: TAG })
  return test([IMAGE, ...args.filter(arg => arg !== IF_POSSIBLE)])
}
