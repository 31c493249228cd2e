import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type { PinnedNeuron } from '../../domain/neurons/run-spec.ts'

const NEURON = defineSearchAttributeKey('GanglionNeuron', 'KEYWORD')
const VERSION = defineSearchAttributeKey('GanglionNeuronVersion', 'KEYWORD')

/** What a run of a neuron starts with beside the attributes of all runs. */
export const neuronAttributes = ({ slug, version }: PinnedNeuron): SearchAttributePair[] => [
  { key: NEURON, value: slug },
  { key: VERSION, value: String(version) },
]
