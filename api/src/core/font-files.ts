import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

/** `sign` is the typeface of road signs; the other two are those of the screens. */
export type FontName = 'text' | 'strong' | 'sign'

/** Complete fonts (OFL-1.1): the web fonts are split by Unicode range, and a document would need several of the parts. */
export const fontFiles: Record<FontName, string> = {
  text: resolve('@expo-google-fonts/ibm-plex-sans/400Regular/IBMPlexSans_400Regular.ttf'),
  strong: resolve('@expo-google-fonts/ibm-plex-sans/600SemiBold/IBMPlexSans_600SemiBold.ttf'),
  sign: resolve('@expo-google-fonts/barlow-semi-condensed/600SemiBold/BarlowSemiCondensed_600SemiBold.ttf'),
}
