import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common'
import type { PinnedNeuron } from '../../domain/agents/run-spec.ts'

const NEURON = defineSearchAttributeKey('GanglionNeuron', 'KEYWORD')
const VERSION = defineSearchAttributeKey('GanglionNeuronVersion', 'KEYWORD')

/** Builds the further search attributes that a run of a neuron starts with. */
export const buildNeuronAttributes = ({ slug, version }: PinnedNeuron): SearchAttributePair[] => [
  { key: NEURON, value: slug },
  { key: VERSION, value: String(version) },
]
