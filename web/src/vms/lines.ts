/** Lines of a text field, without empty ones. */
export const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const joinLines = (lines: readonly string[] | undefined): string => (lines ?? []).join('\n')
