import { textIn } from '../core/urlParams.ts'

/** URL parameters of the overview: the road whose stations are shown as strips, with more than 12 stations. */
export type OverviewSearch = { road?: string | undefined }

export const readOverviewSearch = (search: Record<string, unknown>): OverviewSearch => ({ road: textIn(search.road) })
