import type { estypes } from '@elastic/elasticsearch'

/** The version of mapping and analysis. An index of another version is reported as a mismatch. */
export const SCHEMA = 2

/** The model and schema of an index. Vectors of different models cannot be compared. */
export interface BuiltWith {
  model: string
  dimensions: number
  schema: number
}

/** Limits of filterable metadata. Together they stay below the maximum size of an index term. */
const MAX_NAME_CHARS = 256
const MAX_VALUE_CHARS = 1_024

/** Returns true when metadata of this name and value, or a kind of this name, can be filtered by. */
export const isFilterable = (name: string, value = ''): boolean =>
  name.length <= MAX_NAME_CHARS && value.length <= MAX_VALUE_CHARS

/**
 * Reduces English words to stems, without accents and stop words. Chinese, Japanese and Korean have no spaces around words, so
 * their text is cut to pairs of characters. A query has single characters only where one stands alone.
 */
const ANALYZER = 'folded_english'
const QUERY_ANALYZER = 'folded_english_query'

const buildAnalyzer = (bigrams: string): estypes.AnalysisCustomAnalyzer => ({
  type: 'custom',
  tokenizer: 'standard',
  filter: ['english_possessive', 'lowercase', 'cjk_width', bigrams, 'asciifolding', 'english_stop', 'english_stemmer'],
})

const ANALYSIS: estypes.IndicesIndexSettingsAnalysis = {
  filter: {
    english_possessive: { type: 'stemmer', language: 'possessive_english' },
    english_stop: { type: 'stop', stopwords: '_english_' },
    english_stemmer: { type: 'stemmer', language: 'english' },
    cjk_pairs_and_characters: { type: 'cjk_bigram', output_unigrams: true },
  },
  analyzer: {
    [ANALYZER]: buildAnalyzer('cjk_pairs_and_characters'),
    [QUERY_ANALYZER]: buildAnalyzer('cjk_bigram'),
  },
}

export const SETTINGS: estypes.IndicesIndexSettings = {
  number_of_shards: 1,
  auto_expand_replicas: '0-1',
  // Without this setting, Elasticsearch stops refreshing a shard that is not searched.
  refresh_interval: '2s',
  // The time for which the version of a deleted document blocks older writes.
  gc_deletes: '1h',
  // A search sees a small share of an index of many workspaces. The default graph search would miss one in twenty
  // results there.
  'dense_vector.hnsw_filter_heuristic': 'fanout',
  analysis: ANALYSIS,
}

const english: estypes.MappingTextProperty = { type: 'text', analyzer: ANALYZER, search_analyzer: QUERY_ANALYZER }
/** A stored field that is not searched. */
const storedKeyword: estypes.MappingKeywordProperty = { type: 'keyword', index: false, doc_values: false, store: true }

/**
 * Builds the mapping of a document, which is one part of a resource. `text` holds all chunks of the part for one score,
 * and each chunk is searched by its words and its vector. In an index of versions it is one chunk, which the versions from
 * `version` to `last_version` have; without `last_version`, the head still has it.
 */
export function buildMappings(built: BuiltWith, { ofVersions = false } = {}): estypes.MappingTypeMapping {
  return {
    dynamic: 'strict',
    _meta: { ...built },
    // Chunks are read from stored fields, so a hit does not load the other chunks of its part.
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
      version: { type: 'integer', index: ofVersions },
      ...(ofVersions && { last_version: { type: 'integer' } }),
      metadata: { type: 'flattened', ignore_above: MAX_VALUE_CHARS },
      created_at: { type: 'date' },
      updated_at: { type: 'date' },
      text: english,
      chunks: {
        type: 'nested',
        properties: {
          ordinal: { type: 'integer', index: false },
          heading: storedKeyword,
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
