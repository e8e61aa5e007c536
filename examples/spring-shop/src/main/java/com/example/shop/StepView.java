package com.example.shop;

/**
 * A step as the customer sees it.
 *
 * @param percent 0 to 100
 * @param note what happens, or happened
 */
record StepView(OrderStep.Step step, State state, int percent, String note) {
    enum State {
        WAITING, RUNNING,
        /** Waits for the staff's approval. */
        AWAITING,
        /** Failed, and tried again soon. */
        REFUSED,
        /** A dead letter: the order waits until the staff acts. */
        STOPPED, DONE
    }
}
