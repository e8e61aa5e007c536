package dev.orderly.boxoffice.shop;

/**
 * The payload of a mail job. It holds only the order's number: the address is read when the mail is sent, so that
 * correcting it and redriving the job is enough.
 */
public record Confirmation(String order) {}
