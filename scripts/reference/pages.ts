import { apiReport, apiReportFile } from './api-report.ts';
import { clientAppsPage } from './client-apps.ts';
import { endpointsPage } from './endpoints.ts';
import { errorsPage } from './errors.ts';
import { eventsPage } from './events.ts';
import { findingsPage } from './findings.ts';
import { metricsPage } from './metrics.ts';
import { optionsPage, rateLimitsPage } from './option-pages.ts';
import { pageText } from './page.ts';
import type { PublicApi } from './public-api.ts';
import { retentionPage } from './retention.ts';

/** Every page that is made from the code: the file, and what it says. */
export async function referencePages(api: PublicApi): Promise<ReadonlyMap<string, string>> {
  const pages = [
    optionsPage(api),
    rateLimitsPage(api),
    eventsPage(api),
    errorsPage(),
    findingsPage(),
    metricsPage(),
    await endpointsPage(),
    retentionPage(),
    await clientAppsPage(),
  ];
  const texts = pages.map(async (page) => [page.file, await pageText(page)] as const);
  return new Map([...(await Promise.all(texts)), [apiReportFile, await apiReport(api)]]);
}
