import { body, value } from '../support/builders.ts'
import { ofNode } from '../support/problems.ts'

describe('nodes', () => {
  const MOMENT = 'must be an ISO 8601 duration such as PT5M or P2D, or a time with an offset'
  const TIME = 'must be an ISO 8601 time with an offset, such as 2027-01-31T09:00:00Z, on a valid date'
  const DURATION = 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M'
  const questions = (...ids: string[]) => ids.map(id => ({ id, text: '?' }))
  const approval = { type: 'human', kind: 'approval' }
  const PRINCIPAL = 'must be a person such as user:ann or a group such as group:finance'
  const BOTH = ['.approve', '.reject']

  test.each<[object, string[], string]>([
    [{ type: 'tool', with: { name: 'x' } }, [''], '/nodes/0/with: must have the field "reflex"'],
    [
      { type: 'tool', with: { reflex: '${input.x}', name: 'x' } },
      [''],
      '/nodes/0/with/reflex: must match the pattern ^[a-z0-9]+(?:-[a-z0-9]+)*(?:@[1-9][0-9]{0,8})?$',
    ],
    [
      { type: 'transcribe', with: { audio_base64: '${input}' } },
      [''],
      '/nodes/0/with: must have either asset or audio_base64 with mime_type',
    ],
    [
      { type: 'transcribe', with: { asset: 'call', mime_type: 'audio/mpeg' } },
      [''],
      '/nodes/0/with: must have either asset or audio_base64 with mime_type',
    ],
    [
      { type: 'constructor' },
      [''],
      '/nodes/0/type: must be one of transform, switch, http, neuron, search, tool, transcribe, stakeholders, map, loop, pathway, human, wait, join, end',
    ],
    [
      { type: 7 },
      [''],
      '/nodes/0/type: must be one of transform, switch, http, neuron, search, tool, transcribe, stakeholders, map, loop, pathway, human, wait, join, end',
    ],
    [{ type: 'transform' }, [''], '/nodes/0: must have the field "with"'],
    [
      { type: 'transform', with: { value: { id: '${9007199254740993}' } } },
      [''],
      '/nodes/0/with/value/id: ${9007199254740993}: 9007199254740993 is too large for a JSON number',
    ],
    [{ type: 'transform', with: { value: 1, more: 2 } }, [''], '/nodes/0/with: must not have the field "more"'],
    [{ type: 'transform', with: { value: 1 }, titel: 'x' }, [''], '/nodes/0: must not have the field "titel"'],
    [
      { type: 'http', with: { url: 'http://x', method: 'FETCH' } },
      [''],
      '/nodes/0/with/method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE',
    ],
    [{ type: 'http', with: { url: 'http://x', json: 1, body: 'x' } }, [''], '/nodes/0/with: must NOT be valid'],
    [{ type: 'http', with: { url: 'javascript:alert(1)' } }, [''], '/nodes/0/with/url: must be an http or https URL'],
    [{ type: 'http', with: { url: 'http://x' }, timeout: '5 minutes' }, [''], `/nodes/0/timeout: ${DURATION}`],
    [{ type: 'http', with: { url: 'http://x' }, timeout: 'PT0S' }, [''], `/nodes/0/timeout: ${DURATION}`],
    [{ type: 'http', with: { url: 'http://x' }, timeout: 'P1M' }, [''], `/nodes/0/timeout: ${DURATION}`],
    [
      { type: 'http', with: { url: 'http://x' }, retry: { initial: '1s', max_attempts: 0 } },
      [''],
      `/nodes/0/retry/initial: ${DURATION}`,
    ],
    [
      { type: 'http', with: { url: 'http://x' }, retry: { initial: 'PT2M', max: 'PT1M' } },
      [''],
      '/nodes/0/retry/max: must be at least initial, PT2M',
    ],
    [
      { type: 'http', with: { url: 'http://x' }, retry: { backoff: 0.5 } },
      [''],
      '/nodes/0/retry/backoff: must be at least 1',
    ],
    [
      { type: 'neuron', with: { message: 'hi', schema: { $ref: '#' } } },
      [''],
      '/nodes/0/with/schema/$ref: must not be recursive',
    ],
    [{ type: 'switch', cases: [] }, [], '/nodes/0/cases: must have at least 1 entry'],
    [
      {
        type: 'switch',
        cases: [
          { port: 'a', when: 'true' },
          { port: 'a', when: 'true' },
        ],
      },
      ['.a'],
      '/nodes/0/cases/1/port: duplicate port "a"',
    ],
    [
      { type: 'switch', cases: [{ port: 'error', when: 'true' }] },
      ['.error'],
      '/nodes/0/cases/0/port: "error" is a reserved port',
    ],
    [
      { type: 'switch', cases: [{ port: 'a', when: 'true' }], default: 'timeout' },
      ['.a'],
      '/nodes/0/default: "timeout" is a reserved port',
    ],
    [
      { type: 'switch', cases: [{ port: 'a', when: '"yes"' }] },
      ['.a'],
      '/nodes/0/cases/0/when: must evaluate to true or false, not to a value of type string',
    ],
    [
      { type: 'switch', cases: [{ port: 'a', when: '${input.x}' }] },
      ['.a'],
      '/nodes/0/cases/0/when: Unexpected character: $',
    ],
    [{ type: 'join', mode: 'n' }, [''], '/nodes/0/n: mode "n" requires n; other modes must not have it'],
    [{ type: 'join', mode: 'all', n: 1 }, [''], '/nodes/0/n: mode "n" requires n; other modes must not have it'],
    [{ type: 'join', mode: 'any' }, [''], '/nodes/0: must have an incoming edge'],
    [{ type: 'wait' }, [''], '/nodes/0: a wait must have exactly one of duration, until and event'],
    [
      { type: 'wait', duration: 'PT5S', event: 'x' },
      [''],
      '/nodes/0: a wait must have exactly one of duration, until and event',
    ],
    [
      { type: 'wait', duration: 'PT5S', timeout: 'PT1S' },
      [''],
      '/nodes/0/timeout: only a wait for an event may have a timeout',
    ],
    [{ type: 'wait', duration: 'soon' }, [''], `/nodes/0/duration: ${MOMENT}`],
    [{ type: 'wait', until: 'tomorrow' }, [''], `/nodes/0/until: ${TIME}`],
    [{ type: 'wait', until: '2027-02-30T10:00:00Z' }, [''], `/nodes/0/until: ${TIME}`],
    [{ type: 'map', items: 5, body: body([value('x', 1)]) }, [''], '/nodes/0/items: must be a string or a list'],
    [{ type: 'map', items: '${input}', body: [] }, [''], '/nodes/0/body: must be an object'],
    [{ type: 'map', items: '${input}', body: {} }, [''], '/nodes/0/body: must have the field "nodes"'],
    [
      { type: 'loop', until: 'true', max: 1_001, body: body([value('x', 1)]) },
      [''],
      '/nodes/0/max: must be at most 1000',
    ],
    [
      { type: 'loop', until: '1', max: 1, body: body([value('x', 1)]) },
      [''],
      '/nodes/0/until: must evaluate to true or false, not to a value of type int',
    ],
    [{ type: 'human', kind: 'vote' }, [], '/nodes/0/kind: must be one of approval, form, questions'],
    [
      { type: 'human', kind: 'form' },
      ['.submit_input'],
      '/nodes/0/form: kind "form" requires a form, as a JSON Schema',
    ],
    [{ type: 'human', kind: 'form', form: { type: 'x' } }, ['.submit_input'], '/nodes/0/form/type: must be a list'],
    [
      { type: 'human', kind: 'questions' },
      [],
      '/nodes/0/questions: kind "questions" requires questions; other kinds must not have them',
    ],
    [
      { ...approval, questions: questions('a') },
      BOTH,
      '/nodes/0/questions: kind "questions" requires questions; other kinds must not have them',
    ],
    [
      { type: 'human', kind: 'questions', questions: questions('a', 'a') },
      [],
      '/nodes/0/questions/1/id: duplicate question "a"',
    ],
    [
      { type: 'human', kind: 'questions', questions: questions('a'), form: {} },
      [],
      '/nodes/0/form: kind "questions" must not have a form',
    ],
    [
      { type: 'human', kind: 'form', form: {}, quorum: 2 },
      ['.submit_input'],
      '/nodes/0/quorum: only an approval may have a quorum above 1',
    ],
    [
      { ...approval, due: 'P1D', remind: ['PT1H', 'P1D'] },
      [...BOTH, '.timeout'],
      '/nodes/0/remind/1: must be before the due time P1D',
    ],
    [
      { ...approval, due: 'P1D', escalate: [{ after: 'P2D', to: ['user:a'] }] },
      [...BOTH, '.timeout'],
      '/nodes/0/escalate/0/after: must be before the due time P1D',
    ],
    [
      { ...approval, assignees: ['user:ann', 'procurement'] },
      BOTH,
      `/nodes/0/assignees/1: ${PRINCIPAL}, not "procurement"`,
    ],
    [{ ...approval, assignees: ['group:'] }, BOTH, `/nodes/0/assignees/0: ${PRINCIPAL}, not "group:"`],
    [
      { ...approval, due: 'P1D', escalate: [{ after: 'PT1H', to: ['group:finance', 'boss'] }] },
      [...BOTH, '.timeout'],
      `/nodes/0/escalate/0/to/1: ${PRINCIPAL}, not "boss"`,
    ],
    [
      { ...approval, due: 'tomorrow', escalate: [{ after: '${input.late}', to: ['${input.boss}'] }] },
      [...BOTH, '.timeout'],
      `/nodes/0/due: ${MOMENT}`,
    ],
    [
      { ...approval, assignees: ['user:ann', 'user:bob', 'user:ann'], quorum: 3 },
      BOTH,
      '/nodes/0/quorum: must be at most 2, the number of people who may answer',
    ],
    [{ ...approval, timeout: 'P1D' }, BOTH, '/nodes/0: must not have the field "timeout"'],
  ])('%j', (more, ways, problem) => expect(ofNode(more, ...ways)).toContain(problem))

  test.each<object>([
    { assignees: ['user:ann', 'group:finance', 'key:night shift', 'bot:mail', '${input.who}', 'user:${input.who}'] },
    { assignees: ['user:ann', 'group:finance'], quorum: 5 },
    { assignees: ['user:ann', '${input.who}'], quorum: 5 },
    { assignees: [], quorum: 5 },
    { quorum: 5 },
  ])('an approval with %j is valid', more => expect(ofNode({ ...approval, ...more }, ...BOTH)).toEqual([]))

  test('an escalation counts towards a quorum', () => {
    const node = { ...approval, assignees: ['user:ann'], quorum: 2, due: 'P1D' }
    const ways = [...BOTH, '.timeout']
    expect(ofNode({ ...node, escalate: [{ after: 'PT1H', to: ['user:bob'] }] }, ...ways)).toEqual([])
    expect(ofNode({ ...node, escalate: [{ after: 'PT1H', to: ['user:ann'] }] }, ...ways)).toEqual([
      '/nodes/0/quorum: must be at most 1, the number of people who may answer',
    ])
  })
})
