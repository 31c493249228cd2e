import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AutoModel, AutoTokenizer, env, LogLevel, mean_pooling } from '@huggingface/transformers'
import { type EmbeddedTexts, type ModelSettings, ModelUnavailable } from './messages.ts'

/** The model in memory. It blocks the event loop, so it belongs in a separate process. */
export interface Model {
  embed(texts: string[]): Promise<EmbeddedTexts>
  countTokens: (text: string) => number
}

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx']
/** The name of the built-in model at the hub, in the form that the library reads. */
const HUB_MODEL_NAME = 'Xenova/all-MiniLM-L6-v2'

export async function loadModel(settings: ModelSettings): Promise<Model> {
  const { dimensions, maxInputTokens, threads } = settings
  const name = configureLibrary(settings)
  const loading = Promise.all([
    AutoTokenizer.from_pretrained(name),
    AutoModel.from_pretrained(name, { dtype: 'q8', session_options: sessionOptions(threads) }),
  ])
  const [tokenizer, model] = await loading.catch((cause: unknown) => {
    const what =
      settings.hub === undefined ? "EMBEDDING_MODEL_DIR can't be read" : "EMBEDDING_MODEL_HUB can't be fetched"
    throw new ModelUnavailable(`The embedding model in ${what}`, { cause })
  })
  return {
    async embed(texts) {
      const inputs = tokenizer(texts, { padding: true, truncation: true, max_length: maxInputTokens })
      const { last_hidden_state } = (await model(inputs)) as { last_hidden_state: Parameters<typeof mean_pooling>[0] }
      const vectors = mean_pooling(last_hidden_state, inputs.attention_mask).normalize(2, -1)
      const found = vectors.dims[1]
      if (found !== dimensions)
        throw new ModelUnavailable(
          `EMBEDDING_MODEL_DIR holds another model: its vectors have ${found} dimensions, not ${dimensions}`,
        )
      // The longest text of most slices does not fill the input, so they are not tokenized twice.
      const isFull = (inputs.attention_mask.dims[1] ?? 0) >= maxInputTokens
      const isTruncated = (text: string) => isFull && tokenizer.encode(text).length > maxInputTokens
      return {
        vectors: Float32Array.from(vectors.data as Float32Array),
        truncated: [...texts.entries()].filter(([, text]) => isTruncated(text)).map(([i]) => i),
      }
    },
    countTokens: text => tokenizer.encode(text, { add_special_tokens: false }).length,
  }
}

/** Restricts the library to the configured source of the model. Returns the name to load. */
function configureLibrary({ folder, hub }: ModelSettings): string {
  if (folder === undefined)
    throw new ModelUnavailable('No embedding model is installed: set EMBEDDING_MODEL_DIR to the folder of its files')
  env.logLevel = LogLevel.ERROR
  env.allowLocalModels = hub === undefined
  env.allowRemoteModels = hub !== undefined
  env.useFSCache = hub !== undefined
  if (hub !== undefined) {
    env.remoteHost = hub
    env.cacheDir = resolve(folder)
    return HUB_MODEL_NAME
  }
  const missing = FILES.find(file => !existsSync(join(folder, file)))
  if (missing) throw new ModelUnavailable(`EMBEDDING_MODEL_DIR names a folder without the file ${missing}`)
  env.localModelPath = dirname(resolve(folder))
  return basename(resolve(folder))
}

/** Waiting threads sleep, because spinning ones would take the cores from other work. */
const sessionOptions = (threads: number) => ({
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
})
