package dev.orderly.job;

/** Progress of a running attempt, for the store to keep. */
public record ProgressReport(NodeId node, Attempt attempt, Progress progress) {}
