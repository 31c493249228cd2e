import type { estypes } from '@elastic/elasticsearch'

/** Counted up whenever mapping or analysis change, so that an index of the former kind is noticed. */
export const SCHEMA = 1

/** What an index was built for; vectors of another model mean nothing beside its own. */
export interface BuiltWith {
  model: string
  dimensions: number
  schema: number
}

/** Of what is filtered by, in characters. Together they stay below what an index can hold as one term. */
const MAX_NAME_CHARS = 256
const MAX_VALUE_CHARS = 1_024

/** Whether metadata of this name, with this value, can be filtered by; or a kind of this name. */
export const isFilterable = (name: string, value = ''): boolean =>
  name.length <= MAX_NAME_CHARS && value.length <= MAX_VALUE_CHARS

/** English words by their stems, without accents and stop words. */
const ANALYZER = 'folded_english'

const ANALYSIS: estypes.IndicesIndexSettingsAnalysis = {
  filter: {
    english_possessive: { type: 'stemmer', language: 'possessive_english' },
    english_stop: { type: 'stop', stopwords: '_english_' },
    english_stemmer: { type: 'stemmer', language: 'english' },
  },
  analyzer: {
    [ANALYZER]: {
      type: 'custom',
      tokenizer: 'standard',
      filter: ['english_possessive', 'lowercase', 'asciifolding', 'english_stop', 'english_stemmer'],
    },
  },
}

export const SETTINGS: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  // Without it a shard that nobody searched for a while shows nothing new until somebody does.
  refresh_interval: '500ms',
  // How long the version of what was deleted is remembered, so that nothing older brings it back.
  gc_deletes: '1h',
  // Of an index that many workspaces share a search sees a few in a hundred: the default way through the graph would
  // miss one in twenty of what it should find there.
  'dense_vector.hnsw_filter_heuristic': 'fanout',
  analysis: ANALYSIS,
}

const english: estypes.MappingTextProperty = { type: 'text', analyzer: ANALYZER }
/** Only given back, never searched for. */
const shown: estypes.MappingKeywordProperty = { type: 'keyword', index: false, doc_values: false, store: true }

/**
 * One document is one part of a resource. `text` is what its chunks say together, for a score over the whole; each
 * chunk is searched for by its own words and its vector.
 */
export function buildMappings(built: BuiltWith): estypes.MappingTypeMapping {
  return {
    dynamic: 'strict',
    _meta: { ...built },
    // Chunks are read from their stored fields: a hit in one of them need not read its neighbours.
    _source: { excludes: ['chunks'] },
    properties: {
      workspace_id: { type: 'keyword' },
      resource_id: { type: 'keyword' },
      part: { type: 'integer', index: false },
      kind: { type: 'keyword' },
      slug: english,
      title: english,
      path: { type: 'keyword' },
      brain_id: { type: 'keyword' },
      version: { type: 'integer', index: false },
      metadata: { type: 'flattened', ignore_above: MAX_VALUE_CHARS },
      created_at: { type: 'date' },
      updated_at: { type: 'date' },
      text: english,
      chunks: {
        type: 'nested',
        properties: {
          ordinal: { type: 'integer', index: false },
          heading: shown,
          text: { ...english, store: true, copy_to: 'text' },
          vector: {
            type: 'dense_vector',
            dims: built.dimensions,
            similarity: 'cosine',
            index_options: { type: 'int8_hnsw' },
          },
        },
      },
    },
  }
}
