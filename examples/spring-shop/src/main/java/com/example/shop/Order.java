package com.example.shop;

/**
 * A placed order.
 *
 * @param customer who alone may see it
 */
record Order(String id, String customer, Product product, Card card) {
    /** The first characters of the id, for people. */
    public String number() {
        return id.substring(0, 8);
    }
}
