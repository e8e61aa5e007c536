package dev.orderly.spring.event.shop.order;

public record OrderPlaced(String id, String customer) {}
