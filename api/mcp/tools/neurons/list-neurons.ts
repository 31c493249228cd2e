import { z } from 'zod'
import { defineTool, READS } from '../../tool.ts'
import { page, total } from '../page.ts'

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const listNeurons = defineTool({
  name: 'list_neurons',
  title: 'List neurons',
  description: 'Lists the neurons, which are agents that answer messages. ask_neuron asks one.',
  route: 'neurons.list',
  hints: READS,
  input: z.strictObject(page),
  output: z.object({
    neurons: z.array(
      z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        description: z.string().nullable(),
        model: z.string().nullable(),
      }),
    ),
    total,
  }),
  async call({ neurons }, { principal }, page) {
    const found = await neurons.list(principal, { ...page, is_active: true })
    const shown = found.data.map(({ id, slug, title, description, model }) => ({
      id,
      slug,
      title,
      description: text(description),
      model: text(model),
    }))
    return { neurons: shown, total: found.total }
  },
})
