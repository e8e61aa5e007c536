package dev.orderly.testkit.contract.job;

/** One subject of the contract. */
interface JobPart {
    JobTrial trial();
}
