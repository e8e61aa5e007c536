package dev.orderly.job;

/** The report of a node that an attempt has ended. */
public record Settlement(NodeId node, Attempt attempt, Ending ending) {}
