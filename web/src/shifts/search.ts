import { instantIn } from '../core/urlParams.ts'

/** URL parameters. `at`: the start of the shift; the current one is omitted. */
export type ShiftSearch = { at?: string | undefined }

/** Parses the URL; malformed values are omitted. */
export const readShiftSearch = ({ at }: Record<string, unknown>): ShiftSearch => ({ at: instantIn(at) })
