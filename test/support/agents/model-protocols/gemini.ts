import { fields, json, list, type ModelProtocol, type ModelTurn, text, textIn } from './protocol.ts'

const FINISH: Record<string, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
}

/** The signature of a thought. The model requires the signature with the call that followed the thought. */
const SIGNATURE = 'c2lnbmVk'

/** Google's generateContent, which sends the arguments of a call in one piece. */
export const gemini: ModelProtocol = {
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    turns: [
      ...(body.systemInstruction === undefined
        ? []
        : [{ role: 'system' as const, text: textIn(fields(body.systemInstruction).parts) }]),
      ...list(body.contents).flatMap(turns),
    ],
    tools: list(body.tools)
      .flatMap(tool => list(tool.functionDeclarations))
      .map(({ name, description, parametersJsonSchema: parameters }) => ({
        name: text(name),
        description: text(description),
        parameters,
      })),
  }),

  writer(_request, { input, output, cached }) {
    const parts = (content: unknown[], finishReason?: string) => [
      { data: { candidates: [{ content: { role: 'model', parts: content }, finishReason }] } },
    ]
    const usageMetadata = {
      promptTokenCount: input,
      candidatesTokenCount: output,
      cachedContentTokenCount: cached,
      totalTokenCount: input + output,
    }
    return {
      begin: () => [],
      token: words => parts([{ text: words }]),
      refusal: () => [],
      call: ({ name, pieces }) => [
        parts([{ functionCall: { name, args: json(pieces.join('')) }, thoughtSignature: SIGNATURE }]),
      ],
      end: finish => {
        const finishReason = FINISH[finish] ?? finish
        return [{ data: { candidates: [{ content: { role: 'model', parts: [] }, finishReason }], usageMetadata } }]
      },
      failure: (message, status = 'INTERNAL') => [{ data: { error: { code: 500, message, status } } }],
    }
  },

  refused: ({ status = 500, error = 'failed as asked', error_type = 'UNKNOWN', error_details = [] }) => ({
    error: { code: status, message: error, status: error_type, details: error_details },
  }),
}

function turns({ role, parts }: Record<string, unknown>): ModelTurn[] {
  const partList = list(parts)
  const results = partList
    .filter(part => part.functionResponse)
    .map(part => {
      const { name, response } = fields(part.functionResponse)
      return { role: 'tool' as const, text: JSON.stringify(response), call_id: text(name) }
    })
  const calls = partList
    .filter(part => part.functionCall)
    .map(part => {
      const { name, args } = fields(part.functionCall)
      return { id: text(name), name: text(name), args }
    })
  const answerText = textIn(partList)
  if (answerText === '' && calls.length === 0) return results
  const turn = { role: role === 'model' ? ('assistant' as const) : ('user' as const), text: answerText }
  return [...results, { ...turn, ...(calls.length > 0 && { calls }) }]
}
