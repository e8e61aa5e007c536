package dev.orderly.boxoffice.shop;

import dev.orderly.schedule.ScheduledHandler;
import dev.orderly.schedule.ScheduledRun;

/**
 * The shop's takings, counted every night, or on request. The figures are the result of the run's job, where pages and
 * the API find them.
 */
final class NightlyReport implements ScheduledHandler {
    private final Shop shop;

    NightlyReport(Shop shop) {
        this.shop = shop;
    }

    @Override
    public void handle(ScheduledRun run) {
        run.job().result(shop.takings());
    }
}
