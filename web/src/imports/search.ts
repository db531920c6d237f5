import { positiveIn } from '../core/urlParams.ts'

/** URL parameters: the import that is shown; absent: the first step, a new file. */
export type ImportsSearch = { id?: number | undefined }

/** Parses the URL; malformed values are omitted. */
export const readImportsSearch = ({ id }: Record<string, unknown>): ImportsSearch => ({ id: positiveIn(id) })
