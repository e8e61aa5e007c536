package dev.orderly.boxoffice.shop;

/**
 * What the shop has taken in.
 *
 * @param orders all that were placed
 * @param paid those of them that are paid
 * @param tickets in the paid ones
 * @param cents of the paid ones
 */
public record Takings(long orders, long paid, long tickets, long cents) {}
