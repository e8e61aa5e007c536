package com.example.shop;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the shop sells. */
enum Product {
    MUG("Tall mug", 24, "Stoneware, thrown thin, with a handle that fits three fingers."),
    BOWL("Tea bowl", 38, "Ash glaze outside, a quiet blue inside. No two are alike."),
    VASE("Bud vase", 45, "For one branch of anything that is in flower today."),
    /** Sold at /sale only, behind the waiting room. */
    JAR("Moon jar", 320, "Two bowls joined at the rim, fired once a year. One visitor at a time may choose.");

    private static final int LARGE = 300;

    private final String title;
    private final int euros;
    private final String text;

    Product(String title, int euros, String text) {
        this.title = title;
        this.euros = euros;
        this.text = text;
    }

    public String title() {
        return title;
    }

    public int euros() {
        return euros;
    }

    /** Whether the staff approves an order of it before the card is charged. */
    boolean isLarge() {
        return euros >= LARGE;
    }

    public String text() {
        return text;
    }

    /** The name in addresses. */
    public String path() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Products outside the sale. */
    static List<Product> onShelves() {
        return Arrays.stream(values()).filter(product -> product != JAR).toList();
    }

    static Optional<Product> onShelf(String path) {
        return onShelves().stream().filter(product -> product.path().equals(path)).findFirst();
    }
}
