package dev.orderly.job;

/** Whether the store took a report about an attempt. */
public enum SettleResult {
    /** Taken; durable where it changes what is durable. */
    ACCEPTED,
    /** Refused, nothing changed: the attempt is not the job's newest, or its node was declared dead. */
    LEASE_LOST,
    /** Not taken yet, nothing changed: a transaction of someone else holds the job or its group. Report it again. */
    BLOCKED
}
