/** The promises of stores as tests: subclass {@link dev.orderly.testkit.contract.job.JobStoreContract}. */
@NullMarked
package dev.orderly.testkit.contract;

import org.jspecify.annotations.NullMarked;
