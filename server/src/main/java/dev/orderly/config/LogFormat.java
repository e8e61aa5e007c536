package dev.orderly.config;

/** Format of log lines. */
public enum LogFormat {
    /** Text for people. */
    TEXT,
    /** One JSON object a line. */
    JSON
}
