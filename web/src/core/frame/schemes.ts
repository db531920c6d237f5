/** Light, dark, or as the system has it. */
export const SCHEMES = ['light', 'dark', 'auto'] as const
export type Scheme = (typeof SCHEMES)[number]
