package com.example.shop;

import java.util.Arrays;
import java.util.List;

/** The payload of a job: a step of an order. */
record OrderStep(String order, Step step) {
    /** The steps, in their order. */
    enum Step {
        RESERVE, PAY, SHIP
    }

    static List<OrderStep> allOf(String order) {
        return Arrays.stream(Step.values()).map(step -> new OrderStep(order, step)).toList();
    }
}
