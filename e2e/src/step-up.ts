import type { Page, Route } from '@playwright/test'

/**
 * Answers the next request of the page to `url` otherwise. The route is kept until the end of the test: what the page
 * loads while one is removed may never arrive. `method`: undefined: any.
 */
export async function onNextRequest(
  page: Page,
  { url, method }: { url: string | RegExp; method?: string | undefined },
  answer: (route: Route) => unknown,
): Promise<void> {
  let isAnswered = false
  await page.route(url, (route) => {
    if (isAnswered || (method && route.request().method() !== method)) return route.fallback()
    isAnswered = true
    return answer(route)
  })
}

/** Refuses the next request of the page to `url`, as ten minutes after the last verification. */
export const demandStepUpOnce = (page: Page, url: string | RegExp, method?: string): Promise<void> =>
  onNextRequest(page, { url, method }, (route) =>
    route.fulfill({ status: 403, json: [{ path: null, code: 'step-up-required', userMessage: 'Potwierdź.' }] }),
  )
