import { BLACK, WHITE } from '@rogatka/contract/options.ts'
import { contactRows, plateRows } from './csv.ts'
import { createUpload } from './upload.ts'

const createPlateUpload = () => createUpload(plateRows, ({ plate, description }) => `${plate};${description}`)

/** One upload per list. */
export const uploads = {
  [BLACK]: createPlateUpload(),
  [WHITE]: createPlateUpload(),
  contacts: createUpload(contactRows, ({ type, contact, description }) => `${type};${contact};${description}`),
}
