import { oneOf } from '../core/urlParams.ts'

/** Groups with their signs, contents. */
export const upkeepTabs = ['groups', 'contents'] as const
export type UpkeepTab = (typeof upkeepTabs)[number]

export type SignUpkeepSearch = { tab?: Exclude<UpkeepTab, 'groups'> | undefined }

/** Parses the URL; malformed values and the default tab are omitted. */
export const readSignUpkeepSearch = ({ tab }: Record<string, unknown>): SignUpkeepSearch => ({
  tab: oneOf(['contents'] as const, tab),
})
