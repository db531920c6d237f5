import type { Page } from '@playwright/test'

/**
 * Refuses the next request of the page to `url`, as ten minutes after the last verification. The route is kept until the
 * end: what the page loads while one is removed may never arrive. `method`: undefined: any.
 */
export async function demandStepUpOnce(page: Page, url: string | RegExp, method?: string): Promise<void> {
  let isDemanded = true
  await page.route(url, (route) => {
    if (!isDemanded || (method && route.request().method() !== method)) return route.fallback()
    isDemanded = false
    return route.fulfill({ status: 403, json: [{ path: null, code: 'step-up-required', userMessage: 'Potwierdź.' }] })
  })
}
