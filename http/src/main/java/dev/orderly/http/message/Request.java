package dev.orderly.http.message;

/** A complete request within the limits. The body is empty if there is none, and belongs to the endpoint. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Request(RequestHead head, byte[] body) {}
