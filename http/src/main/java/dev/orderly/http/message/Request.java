package dev.orderly.http.message;

/** A request that has come in whole, within the limits. The body is empty for none and belongs to the endpoint. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Request(RequestHead head, byte[] body) {}
