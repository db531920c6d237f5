/** Supported languages; the first is the default and the fallback. */
export const languages = ['pl', 'en', 'lt', 'de', 'ro'] as const
export type Language = (typeof languages)[number]

/** The first supported language of an Accept-Language header; pl without one. */
export function languageOf(header: string | undefined): Language {
  if (!header) return 'pl'
  const preferred = header
    .split(',')
    .map((part) => {
      const [tag = '', ...options] = part.trim().split(';')
      const quality = options.find((option) => option.trim().startsWith('q='))
      return { language: tag.toLowerCase().split('-')[0], quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .sort((a, b) => b.quality - a.quality)
  return (
    languages.find(
      (language) => language === preferred.find((w) => languages.includes(w.language as Language))?.language,
    ) ?? 'pl'
  )
}
