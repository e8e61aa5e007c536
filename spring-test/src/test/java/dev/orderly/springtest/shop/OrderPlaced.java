package dev.orderly.springtest.shop;

public record OrderPlaced(String order, String customer) {}
