import { passages } from './text/passages.ts'
import type { Inquiry } from './prompt.ts'
import { centrality, rank } from './text/rank.ts'
import { words } from './text/words.ts'

const MAX_SENTENCES = 3
/** The minimum score for quoting another passage, as a fraction of the best score. */
const NEAR_BEST = 0.4

const SUMMARY = /\b(?:summari[sz]e|summary|overview|tl;?dr|gist|main points?|key points?)\b/i
const ABOUT_ITSELF =
  /\b(?:who|what) are you\b|\b(?:what|which) (?:ai |language )?model\b|\bare you (?:an? )?(?:ai|bot|robot|human|person|(?:language )?model)\b|\byour name\b/i

const INTRODUCTION =
  'I am builtin:extractive, a stand-in that needs no key. I am no language model: I quote the sentences of the text I am given that fit the question best.'
const NO_ANSWER = 'Nothing in the text I was given answers that.'

export const isAboutItself = (question: string): boolean => ABOUT_ITSELF.test(question)

/** Returns the passages in the context that best match the question, in order. The result is deterministic. */
export function answer(inquiry: Inquiry): string {
  if (isAboutItself(inquiry.question)) return INTRODUCTION
  return quote(inquiry)?.text ?? noAnswer()
}

export const noAnswer = (): string => `${NO_ANSWER} ${INTRODUCTION}`

export interface Quotation {
  text: string
  passages: string[]
}

/** Quotes the passages that match the question. Returns undefined if there are none. */
export function quote(inquiry: Inquiry): Quotation | undefined {
  if (SUMMARY.test(inquiry.question)) return summarize(inquiry)
  const candidates = distinct(passages(inquiry.context))
  return best(candidates, rank(candidates, inquiry.question))
}

/** Quotes the passages that are most central to the text. */
export function summarize({ context }: Inquiry): Quotation | undefined {
  const candidates = distinct(passages(context))
  return best(candidates, centrality(candidates))
}

/** Removes duplicate passages, which occur when documents repeat each other. */
const distinct = (passages: string[]): string[] => [...new Set(passages)]

function best(candidates: string[], scores: number[]): Quotation | undefined {
  const best = Math.max(0, ...scores)
  if (best === 0) return undefined
  const bestPassages = candidates
    .map((passage, place) => ({ passage, place, score: scores[place] ?? 0 }))
    .filter(({ score }) => score >= best * NEAR_BEST)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, MAX_SENTENCES)
    .sort((a, b) => a.place - b.place)
    .map(({ passage }) => passage)
  return {
    passages: bestPassages,
    text: bestPassages.join(bestPassages.every(passage => /[.!?]$/.test(passage)) ? ' ' : '\n'),
  }
}

/** Returns true if one passage contains at least half of the words in the question, so that no search is needed. */
export function answers({ question, context }: Inquiry): boolean {
  if (isAboutItself(question)) return true
  if (SUMMARY.test(question) && context.trim()) return true
  const questionWords = new Set(words(question))
  return passages(context).some(passage => {
    const shared = new Set(words(passage)).intersection(questionWords).size
    return shared > 0 && shared >= questionWords.size / 2
  })
}
