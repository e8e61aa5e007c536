package dev.orderly.bench.postgres;

/**
 * The result of a run.
 *
 * @param perSecond jobs a second
 * @param client processor seconds of this process per 1,000 jobs
 * @param server the same of PostgreSQL; 0 if unknown
 */
record Figure(double perSecond, double client, double server) {}
