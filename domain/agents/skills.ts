import type { RunSkill, RunTool } from './run-spec.ts'

export const LOAD_SKILL = 'load_skill'

/** Builds the tool with which the model loads a skill's instructions on demand. */
export function skillTool(skills: RunSkill[]): RunTool {
  return {
    alias: LOAD_SKILL,
    name: LOAD_SKILL,
    description: 'Loads the instructions of a skill, or one of its files. Load a skill before doing what it is for.',
    parameters: {
      type: 'object',
      properties: {
        name: { enum: skills.map(({ slug }) => slug) },
        file: { type: 'string', description: 'One of the files that the skill names' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    effect: 'read',
    is_short: true,
    source: 'builtin',
    reflex: { id: '', slug: 'skills', version: 0 },
    approval: ['never'],
  }
}

/** Returns the prompt text that lists the skills. */
export const skillsText = (skills: RunSkill[]): string =>
  skills.length === 0
    ? ''
    : `You have these skills; ${LOAD_SKILL} gives you the instructions of one:\n${skills
        .map(({ slug, title, description }) => `- ${slug}: ${[title, description].filter(Boolean).join('. ')}`)
        .join('\n')}`
