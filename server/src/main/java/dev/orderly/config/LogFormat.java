package dev.orderly.config;

/** How log lines are written. */
public enum LogFormat {
    /** A line for people. */
    TEXT,
    /** One JSON object a line. */
    JSON
}
