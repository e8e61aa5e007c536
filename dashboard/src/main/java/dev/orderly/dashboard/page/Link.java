package dev.orderly.dashboard.page;

/**
 * A link to another page.
 *
 * @param path below the base
 */
public record Link(String text, String path) {}
