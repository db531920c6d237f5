/** Title of a tab, with or without the number of open hits, which other tests may have left. */
export const titled = (page: string): RegExp =>
  new RegExp(`^(\\(\\d+!\\) )?${page.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} · Rogatka$`)
