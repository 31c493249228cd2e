import type { estypes } from '@elastic/elasticsearch'

/** The version of the mapping and the text analysis. An index with a different version is reported as a mismatch. */
export const SCHEMA = 2

/** The model and the schema that an index was built with. Vectors from different models cannot be compared. */
export interface BuiltWith {
  model: string
  dimensions: number
  schema: number
}

/** Limits for filterable metadata. Together they stay below the maximum size of an index term. */
const MAX_NAME_CHARS = 256
const MAX_VALUE_CHARS = 1_024

/** Returns true if searches can filter by metadata with this name and value, or by a resource kind with this name. */
export const isFilterable = (name: string, value = ''): boolean =>
  name.length <= MAX_NAME_CHARS && value.length <= MAX_VALUE_CHARS

/**
 * Stems English words, and removes accents and stop words. Chinese, Japanese and Korean text has no spaces between
 * words, so it is split into pairs of characters. A query contains a single character only where the character stands
 * alone.
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
  // Without an explicit interval, Elasticsearch stops refreshing idle shards.
  refresh_interval: '2s',
  // How long the revision of a deleted document blocks older writes.
  gc_deletes: '1h',
  // In an index with many workspaces, a search covers only a small share of the documents. The default graph search
  // would then miss one in twenty results.
  'dense_vector.hnsw_filter_heuristic': 'fanout',
  analysis: ANALYSIS,
}

const english: estypes.MappingTextProperty = { type: 'text', analyzer: ANALYZER, search_analyzer: QUERY_ANALYZER }
/** A field that is stored but not searchable. */
const storedKeyword: estypes.MappingKeywordProperty = { type: 'keyword', index: false, doc_values: false, store: true }

/**
 * Builds the mapping. Each document is one part of a resource. `text` contains all chunks of the part, which gives
 * the part a single score. Each chunk can also be found by its words and by its vector. In a version index, each
 * document is one chunk that the versions from `version` to `last_version` share. Without `last_version`, the head
 * still contains the chunk.
 */
export function buildMappings(built: BuiltWith, { ofVersions = false } = {}): estypes.MappingTypeMapping {
  return {
    dynamic: 'strict',
    _meta: { ...built },
    // Chunks are read from stored fields, so that a hit does not load the other chunks in its part.
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
