package dev.orderly.config;

/** Where to listen; port 0 means any free one. */
public record Listener(String host, int port) {}
