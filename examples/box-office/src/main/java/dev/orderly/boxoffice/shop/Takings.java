package dev.orderly.boxoffice.shop;

/**
 * The shop's takings.
 *
 * @param orders all orders
 * @param paid paid orders
 * @param tickets tickets of the paid orders
 * @param cents sum of the paid orders
 */
public record Takings(long orders, long paid, long tickets, long cents) {}
