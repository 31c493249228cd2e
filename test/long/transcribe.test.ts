import { openSpeechService } from '../../activities/speech/service.ts'
import { readConfig } from '../../config/config.ts'
import { PIECE_FORMATS } from '../../domain/speech/audio.ts'
import { audioBody, recording, recordingNamed, SAID, saidTwice, SECONDS } from '../support/speech/audio.ts'
import { useStack } from '../support/stack/use-stack.ts'
import { transcribed } from '../support/agents/transcripts.ts'

const there = useStack()

describe('with the real speech service', () => {
  test.each(PIECE_FORMATS)('%s is transcribed', async format => {
    const real = openSpeechService({ ...readConfig(there.stack.env), SPEECH_API_KEY: undefined })
    const { text, segments } = await real.transcribe({ bytes: recording(format), format }, new AbortController().signal)
    expect(text).toMatch(SAID)
    expect(segments.at(-1)?.end).toBeLessThan(13)
    await real.close()
  })

  test.each([
    ['audio/aac', recording('aac')],
    ['audio/amr', recording('amr')],
    ['audio/amr-wb', recordingNamed('jfk.awb')],
    ['audio/3gpp', recordingNamed('jfk.3gp')],
    ['audio/x-aiff', recording('aiff')],
  ])('%s is transcribed, even though the service does not accept it', async (mime_type, bytes) => {
    const body = { audio_base64: bytes.toString('base64'), mime_type }
    const { transcript, status } = await transcribed(there.workspace.client, body)
    expect([status, transcript?.text]).toEqual(['completed', expect.stringMatching(SAID)])
  })

  test('long audio is transcribed in pieces, with times relative to the whole', async () => {
    const silence = 60
    const { transcript, progress } = await transcribed(there.workspace.client, audioBody('wav', saidTwice(silence)))
    expect(progress).toEqual({ done: 2, total: 2 })
    expect(transcript?.duration_seconds).toBeCloseTo(2 * SECONDS + silence, 0)
    expect(transcript?.text.match(new RegExp(SAID, 'gi'))).toHaveLength(2)
    // The service decides how much of the silence it assigns to the next piece.
    const again = transcript?.segments.filter(({ end }) => end > 2 * SECONDS + 5) ?? []
    expect(again.map(({ text }) => text).join(' ')).toMatch(SAID)
  })
})
