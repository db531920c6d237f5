import { BLACK, WHITE } from '@rogatka/contract/wanted.ts'
import { contactRows, plateRows } from './csv.ts'
import { createUpload } from './upload.ts'

const ofPlates = () => createUpload(plateRows, ({ plate, description }) => `${plate};${description}`)

/** One upload per list. */
export const uploads = {
  [BLACK]: ofPlates(),
  [WHITE]: ofPlates(),
  contacts: createUpload(contactRows, ({ type, contact, description }) => `${type};${contact};${description}`),
}
