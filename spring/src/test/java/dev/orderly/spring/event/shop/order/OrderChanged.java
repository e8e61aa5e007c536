package dev.orderly.spring.event.shop.order;

public sealed interface OrderChanged {
    record Shipped(String id, int parcels) implements OrderChanged {}

    record Cancelled(String id) implements OrderChanged {}
}
