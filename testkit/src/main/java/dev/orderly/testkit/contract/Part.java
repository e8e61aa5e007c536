package dev.orderly.testkit.contract;

/** One subject of the contract. */
interface Part {
    Trial trial();
}
