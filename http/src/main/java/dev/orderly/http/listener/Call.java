package dev.orderly.http.listener;

/** A request that has come in whole, within the limits. The body is empty for none and belongs to the endpoint. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Call(Head head, byte[] body) {}
