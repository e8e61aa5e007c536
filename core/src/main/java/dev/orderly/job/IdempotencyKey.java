package dev.orderly.job;

/**
 * The {@code Idempotency-Key} of an HTTP push, kept 24 hours: the same key with the same request is answered with the
 * first job, with another request it is refused.
 *
 * @param key hash of the client's key and of who sent it
 * @param fingerprint hash of everything the request asks for
 */
public record IdempotencyKey(DedupeKey key, DedupeKey fingerprint) {}
