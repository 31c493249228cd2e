import { join } from 'node:path'
import { CHECKOUT } from '../machine/folders.ts'
import { checkAnswers } from './answers.ts'
import type { Component } from './component.ts'

/** The rule-based model, served over OpenAI's chat completions API. */
export const extractive: Component = {
  name: 'extractive',
  urlKey: 'MODEL_BASE_URL',
  required: true,
  ports: ['extractive'],
  stopSignal: 'SIGTERM',
  readySeconds: 60,
  environment: place => ({ MODEL_BASE_URL: `http://127.0.0.1:${place.ports.extractive}/v1` }),
  install: () => Promise.resolve(join(CHECKOUT, 'dev/extractive/server.ts')),
  launch: (context, installed) =>
    Promise.resolve({ command: process.execPath, args: [installed, String(context.ports.extractive)] }),
  check: environment => checkAnswers(environment['MODEL_BASE_URL']),
}
