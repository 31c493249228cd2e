import { embeddingModel } from '../../dev/components/embedding-model.ts'

const nothing = () => {
  throw new Error('something was installed')
}

describe('the embedding model', () => {
  test.each(['EMBEDDING_MODEL_DIR', 'EMBEDDING_MODEL', 'EMBEDDING_MODEL_HUB'])(
    'is not installed where %s says where vectors come from',
    async setting => {
      expect(await embeddingModel({ environment: { [setting]: 'given' }, apt: nothing, log: nothing })).toEqual({})
    },
  )
})
