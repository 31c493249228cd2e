import { passages } from './passages.ts'
import type { Asked } from './prompt.ts'
import { centrality, rank } from './rank.ts'

const MOST = 3
/** A passage is quoted along when it scores at least this part of the best one. */
const NEAR_BEST = 0.4

const SUMMARY = /\b(?:summari[sz]e|summary|overview|tl;?dr|gist|main points?|key points?)\b/i
const ABOUT_ITSELF =
  /\b(?:who|what) are you\b|\b(?:what|which) (?:ai |language )?model\b|\bare you (?:an? )?(?:ai|bot|robot|human|person|(?:language )?model)\b|\byour name\b/i

export const INTRODUCTION =
  'I am builtin:extractive, a built-in stand-in that needs no key. I am no language model: I quote the sentences of the text I am given that fit the question best.'
const NOTHING = 'Nothing in the text I was given answers that.'

/** The best-matching passages of the context, in the order in which they stand there. The same input gives the same answer. */
export function answer({ question, context }: Asked): string {
  if (ABOUT_ITSELF.test(question)) return INTRODUCTION
  const candidates = passages(context)
  const scores = SUMMARY.test(question) ? centrality(candidates) : rank(candidates, question)
  const best = Math.max(0, ...scores)
  if (best === 0) return `${NOTHING} ${INTRODUCTION}`
  const chosen = candidates
    .map((passage, place) => ({ passage, place, score: scores[place] ?? 0 }))
    .filter(({ score }) => score >= best * NEAR_BEST)
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, MOST)
    .sort((a, b) => a.place - b.place)
  return chosen.map(({ passage }) => passage).join(chosen.every(({ passage }) => /[.!?]$/.test(passage)) ? ' ' : '\n')
}
