package dev.orderly.boxoffice.web;

import java.util.random.RandomGenerator;

/** Unguessable numbers, of 32 characters that are hard to confuse. */
public record Numbers(RandomGenerator random) {
    private static final String LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    String customer() {
        return draw(24);
    }

    String order() {
        return draw(4) + "-" + draw(4) + "-" + draw(4);
    }

    private String draw(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
