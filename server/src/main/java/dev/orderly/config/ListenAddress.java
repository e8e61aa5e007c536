package dev.orderly.config;

/** Address and port of a listener; port 0 means any free port. */
public record ListenAddress(String host, int port) {}
