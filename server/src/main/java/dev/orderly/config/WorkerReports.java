package dev.orderly.config;

/** Whether the public listener takes reports of workers. */
public enum WorkerReports {
    REFUSED, ACCEPTED
}
