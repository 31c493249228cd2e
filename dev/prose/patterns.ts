/**
 * Wording that reads like a translation, and what to write instead. Patterns are matched against each sentence,
 * ignoring case.
 */
export const PATTERNS: [pattern: RegExp, advice: string][] = [
  [/\b(?:go|goes|going|went|gone) on\b(?! (?:to|strike|call|sale|top))/i, 'Write "continue" or "resume".'],
  [/\bmend(?:s|ed|ing)?\b/i, 'Write "fix".'],
  [/\bbeside\b/i, 'Write "next to", "besides" or "compared with".'],
  [/\bin place of\b/i, 'Write "instead of".'],
  [/\bby itself\b/i, 'Write "automatically" or "alone".'],
  [
    /\bof (?:its|their|his|her|your|our|one's) own(?=$|[.,;:!?)]|\s(?:that|which|and|in|for|with|to|is|are|on|at|by)\b)/i,
    'Write "its own X", not "an X of its own".',
  ],
  [/\bnot\b[^.,;:!?]*\bany more\b/i, 'Write "no longer".'],
  [
    /(?<!\bthere |\bthat )\bis no (?!longer|more|less|default|limit|need|other|such|way|reason|guarantee|point|different|matter)/i,
    'Write "isn\'t a …".',
  ],
  [/\bcan no (?!longer)/i, 'Write "cannot".'],
  [/\b(?:is|are|was|were) (?:told|said) (?:of|about|that|whether|when)\b/i, 'Name who notifies or reports.'],
  [/\bas ever\b/i, 'Write "as before", or leave it out.'],
  [/\bmake(?:s)? up for\b/i, 'Write "runs" or "catches up with".'],
  [/\bwithout a word\b/i, 'Write "silently".'],
  [/\bin words\b/i, 'Write "as text".'],
  [/\bmade of\b(?! (?:two|three|several))/i, 'Write "built from" or "consists of".'],
  [/\bby hand\b(?=.*\bby hand\b)/i, 'Write "manually" once.'],
]

/** Clauses that stand in for nouns. They are allowed in headings. */
export const CLAUSES: [pattern: RegExp, advice: string][] = [
  [/^(?:what|whoever|whose) (?!if\b|follows\b)[^?]*$/i, 'Name the thing instead of a clause with "what" or "whose".'],
  [/^who (?:is|are|was|may|can|has|does|did|will)\b[^?]*$/i, 'Name the person or role instead of a clause with "who".'],
]

/** The maximum number of words in a sentence. Inline code counts as one word. */
export const MAX_WORDS = 30
