package com.example.shop;

/** Cards to try the shop with, by what the pretended bank makes of them. */
enum Card {
    ACCEPTED("4242 – accepted", 0),
    REFUSED_ONCE("0341 – refused once", 1),
    REFUSED("0002 – refused until staff acts", OrderSteps.ATTEMPTS);

    private final String title;
    private final int refusals;

    Card(String title, int refusals) {
        this.title = title;
        this.refusals = refusals;
    }

    public String title() {
        return title;
    }

    int refusals() {
        return refusals;
    }
}
