/** What a store promises, as tests: subclass {@link dev.orderly.testkit.contract.JobStoreContract}. */
@NullMarked
package dev.orderly.testkit.contract;

import org.jspecify.annotations.NullMarked;
